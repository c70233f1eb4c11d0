// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What is no deadline is told where a thread would have to wait for it; elsewhere it may be.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct timespec none = {1, -1};

void *worker(void *unused)
{
    assert(pthread_mutex_timedlock(&mutex, &none) == EINVAL);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &none) == EINVAL);
    assert(pthread_rwlock_timedrdlock(&lock, &none) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&lock, &none) == EINVAL);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int error = pthread_mutex_timedlock(&mutex, &none);
    assert(error == 0 || error == EINVAL);
    if (error)
        pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&condition, &mutex, &none) == EINVAL);
    pthread_rwlock_wrlock(&lock);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_rwlock_unlock(&lock);
    pthread_mutex_unlock(&mutex);
    return 0;
}
