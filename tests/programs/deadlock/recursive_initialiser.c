// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The static initialiser of a recursive mutex makes it recursive.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void)
{
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) != 0);
    return 0;
}
