// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// A thread goes on as if it had the mutex although `trylock` may have failed.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *worker(void *unused)
{
    int has_lock = pthread_mutex_trylock(&lock) == 0;
    shared = 1;
    if (has_lock)
        pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    shared = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
