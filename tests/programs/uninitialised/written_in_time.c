// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=true
// The block is written before the thread is there.
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *unused)
{
    int seen = *shared;
    (void)seen;
    return 0;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    free(shared);
    return 0;
}
