// sley: reach=true race=true deadlock=false memory=true overflow=true
// A thread ends without releasing the mutex on one of its ways out.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int cancelled;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    if (cancelled)
        return 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    cancelled = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
