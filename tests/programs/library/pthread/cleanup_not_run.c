// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A cleanup handler that is popped with zero does not run: the mutex stays locked.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void unlock(void *m)
{
    pthread_mutex_unlock(m);
}

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cleanup_pop(0);
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
