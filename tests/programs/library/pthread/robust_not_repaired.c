// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Who unlocks a robust mutex of a dead owner without declaring it consistent makes it useless for good.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;

void *dies(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_exit(0);
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, dies, 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_timedlock(&mutex, &deadline) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
