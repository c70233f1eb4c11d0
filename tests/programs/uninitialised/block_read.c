// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=false
// Another thread reads a block before anybody has written to it.
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *unused)
{
    if (*shared > 5)
        *shared = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    free(shared);
    return 0;
}
