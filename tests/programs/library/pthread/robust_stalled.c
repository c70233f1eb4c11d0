// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A mutex that is not robust stays locked when its owner ends.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    return 0;
}
