// sley: reach=true race=true deadlock=true memory=true overflow=true
// The block that grows is not the one that the thread reads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *reader(void *block)
{
    assert(*(int *)block == 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *shared = calloc(1, sizeof *shared), *own = malloc(sizeof *own);
    *own = 3;
    pthread_create(&thread, 0, reader, shared);
    own = realloc(own, 2 * sizeof *own);
    assert(*own == 3);
    pthread_join(thread, 0);
    free(shared);
    free(own);
    return 0;
}
