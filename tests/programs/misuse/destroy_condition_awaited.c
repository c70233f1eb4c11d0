// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A condition variable is destroyed while a thread waits for it.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int is_ready;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cond_destroy(&condition);
    return 0;
}
