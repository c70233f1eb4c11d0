// sley: reach=true race=true deadlock=true memory=false overflow=true
// Of a block only the padding at the end of what is copied to it is missing.
#include <string.h>
#include <stdlib.h>
struct s { int *p; int i; };
static size_t n(size_t k) { volatile size_t s = k; return s; }
int main(void) {
    struct s s = {0, 5}; char *block = malloc(n(12));
    memcpy(block, &s, n(sizeof s));
    free(block);
    return 0; }
