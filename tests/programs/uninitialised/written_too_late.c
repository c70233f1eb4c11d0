// sley: reach=true race=false deadlock=true memory=true overflow=true uninitialised=false
// Whether the block is written before it is read depends on the schedule.
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
    pthread_create(&t, 0, worker, 0);
    *shared = 1;
    pthread_join(t, 0);
    free(shared);
    return 0;
}
