// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The mutex is destroyed while a thread may hold it.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_destroy(&lock);
    pthread_join(thread, 0);
    return 0;
}
