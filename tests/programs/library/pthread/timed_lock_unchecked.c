// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=false
// The result of a lock with a deadline is ignored.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned int count;

void *worker(void *unused)
{
    struct timespec deadline = {1, 0};
    pthread_mutex_timedlock(&mutex, &deadline);
    count++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
