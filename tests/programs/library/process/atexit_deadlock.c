// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A handler waits for a mutex that the exiting thread holds itself.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void handler(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    atexit(handler);
    pthread_mutex_lock(&mutex);
    exit(0);
}
