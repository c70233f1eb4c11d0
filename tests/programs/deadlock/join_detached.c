// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Who joins a detached thread breaks a rule, but does not wait for it.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    pthread_join(thread, 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
