// sley: reach=true race=true deadlock=false memory=true overflow=true
// To join a thread while holding the mutex it needs.
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
    pthread_mutex_lock(&lock);
    pthread_join(thread, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
