// sley: reach=true race=true deadlock=true memory=false overflow=true
// At the end, a local of main no longer holds the address of the block that it held.
#include <pthread.h>
#include <stdlib.h>

static void make(char **place) { *place = malloc(1); }
static void forget(char **place) { *place = NULL; }

static void *ending(void *unused)
{
    exit(0);
}

int main(void)
{
    pthread_t thread;
    char *block;
    make(&block);
    forget(&block);
    pthread_create(&thread, 0, ending, 0);
    while (1)
        ;
}
