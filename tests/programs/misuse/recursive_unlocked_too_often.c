// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Recursive and error-checking mutexes tell who unlocks too often; nothing else happens.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    int kinds[] = {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t mutex;
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, kinds[i]);
        pthread_mutex_init(&mutex, &attributes);
        pthread_mutex_lock(&mutex);
        assert(pthread_mutex_unlock(&mutex) == 0);
        assert(pthread_mutex_unlock(&mutex) == EPERM);
        assert(pthread_mutex_destroy(&mutex) == 0);
    }
    return 0;
}
