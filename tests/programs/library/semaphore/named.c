// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two threads that open the same name share a semaphore, if they can open it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int count;

void *worker(void *unused)
{
    sem_t *gate = sem_open("/gate", 0);
    if (gate == SEM_FAILED)
        return 0;
    sem_wait(gate);
    count++;
    sem_post(gate);
    sem_close(gate);
    return 0;
}

int main(void)
{
    pthread_t thread;
    assert(sem_open("/gate", 0) == SEM_FAILED);
    sem_t *gate = sem_open("/gate", O_CREAT | O_EXCL, 0600, 1);
    if (gate == SEM_FAILED)
        return 0;
    assert(sem_open("/gate", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    sem_t *again = sem_open("/gate", O_CREAT, 0600, 5);
    assert(again == gate || again == SEM_FAILED);
    pthread_create(&thread, 0, worker, 0);
    sem_wait(gate);
    count++;
    sem_post(gate);
    pthread_join(thread, 0);
    assert(count == 1 || count == 2);
    if (sem_unlink("/gate") == 0)
        assert(sem_unlink("/gate") == -1);
    return 0;
}
