// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What each function of semaphores returns and leaves behind.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;
int order;

void *worker(void *unused)
{
    order = 1;
    sem_post(&semaphore);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    int value;
    assert(sem_init(&semaphore, 0, 1u + SEM_VALUE_MAX) == -1 && errno == EINVAL);
    assert(sem_init(&semaphore, 0, 1) == 0);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 1);
    assert(sem_trywait(&semaphore) == 0);
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    pthread_create(&thread, 0, worker, 0);
    if (sem_timedwait(&semaphore, &deadline) == -1) {
        assert(errno == ETIMEDOUT);
        sem_wait(&semaphore);
    }
    assert(order == 1);
    pthread_join(thread, 0);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 0);
    assert(sem_destroy(&semaphore) == 0);
    sem_init(&semaphore, 0, SEM_VALUE_MAX);
    assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
    return 0;
}
