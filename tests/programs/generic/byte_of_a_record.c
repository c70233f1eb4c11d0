// sley: reach=true race=false deadlock=true memory=true overflow=true
// A byte is written while a record is copied to where it lies.
#include <pthread.h>
#include <string.h>
#include <stdlib.h>
static char *block; static size_t size = 16;
static void *w(void *u) { block[13] = 1; return u; }
int main(void) {
    struct { int *p; int i, j; } s = {0, 5, 6}; pthread_t t;
    block = malloc(2 * size);
    pthread_create(&t, 0, w, 0);
    memcpy(block, &s, size);
    pthread_join(t, 0);
    free(block);
    return 0; }
