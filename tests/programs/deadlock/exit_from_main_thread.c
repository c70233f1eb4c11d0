// sley: reach=true race=true deadlock=false memory=true overflow=true
// `pthread_exit` in main ends only main, and the mutex it holds stays locked.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
}
