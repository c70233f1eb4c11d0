// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The mutex is destroyed after its last use, and initialised anew.
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
    pthread_join(thread, 0);
    pthread_mutex_destroy(&lock);
    pthread_mutex_init(&lock, 0);
    worker(0);
    pthread_mutex_destroy(&lock);
    return 0;
}
