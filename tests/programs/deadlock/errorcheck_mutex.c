// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// An error-checking mutex refuses what would block for ever or is not allowed.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

void *stranger(void *unused)
{
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return 0;
}

int main(void)
{
    pthread_t thread;
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_create(&thread, 0, stranger, 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
