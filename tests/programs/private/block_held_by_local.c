// sley: reach=true race=true deadlock=true memory=true overflow=true
// At the end, a local of main that nobody reads any more still holds the address of a block.
#include <pthread.h>
#include <stdlib.h>

static void make(char **place) { *place = malloc(1); }

static void *ending(void *unused)
{
    exit(0);
}

int main(void)
{
    pthread_t thread;
    char *block;
    make(&block);
    pthread_create(&thread, 0, ending, 0);
    while (1)
        ;
    free(block);
}
