// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Waits that name their clock: each ends in time or not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t condition;
sem_t semaphore;
int is_ready;

void *worker(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&lock);
    sem_post(&semaphore);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    pthread_cond_init(&condition, 0);
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    int error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
        if (!is_ready) {
            error = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &deadline);
            assert(error == 0 || error == ETIMEDOUT);
        }
        pthread_mutex_unlock(&mutex);
    }
    if (pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &deadline) == 0)
        pthread_rwlock_unlock(&lock);
    if (pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &deadline) == 0)
        pthread_rwlock_unlock(&lock);
    if (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) == 0)
        assert(is_ready);
    pthread_join(thread, 0);
    return 0;
}
