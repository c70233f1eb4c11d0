// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread frees what main gave it; main uses it after the thread has ended, so that there is no race.
#include <pthread.h>
#include <stdlib.h>

static void *end(void *given)
{
    free(given);
    return 0;
}

int main(void)
{
    pthread_t ending;
    int *shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&ending, 0, end, shared);
    pthread_join(ending, 0);
    return *shared;
}
