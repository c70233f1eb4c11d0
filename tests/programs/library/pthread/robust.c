// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The owner of a robust mutex ends: the next one is told, repairs what is guarded, and all goes on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;
int count;

void *dies(void *unused)
{
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    count = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    int robust;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutexattr_getrobust(&attributes, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, dies, 0);
    int result = pthread_mutex_lock(&mutex);
    assert(result == (count ? EOWNERDEAD : 0));
    if (result == EOWNERDEAD)
        assert(pthread_mutex_consistent(&mutex) == 0);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    pthread_join(thread, 0);
    result = pthread_mutex_trylock(&mutex);
    assert(result == 0 || result == EOWNERDEAD);
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
