// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A thread may hold a lock several times for reading, but to try can fail, and to wait can take too long, while a writer waits.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock;
int value;

void *reader(void *unused)
{
    struct timespec deadline = {1, 0};
    pthread_rwlock_rdlock(&lock);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &deadline) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    assert(value == 0 || value == 1);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    pthread_rwlock_init(&lock, 0);
    pthread_create(&thread, 0, reader, 0);
    int error = pthread_rwlock_timedwrlock(&lock, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
        value = 1;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, 0);
    pthread_rwlock_destroy(&lock);
    return 0;
}
