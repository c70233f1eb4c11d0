// sley: reach=true race=true deadlock=true memory=true overflow=true
// The lock that is never given back goes with the process: nobody waits for it for ever.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int failures;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    failures++;
    if (failures == 2)
        exit(1);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
