// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two threads that open the same name share a semaphore.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int count;

void *worker(void *unused)
{
    sem_t *gate = sem_open("/gate", 0);
    assert(gate != SEM_FAILED);
    sem_wait(gate);
    count++;
    sem_post(gate);
    sem_close(gate);
    return 0;
}

int main(void)
{
    pthread_t thread;
    assert(sem_open("/gate", 0) == SEM_FAILED && errno == ENOENT);
    sem_t *gate = sem_open("/gate", O_CREAT | O_EXCL, 0600, 1);
    assert(gate != SEM_FAILED);
    assert(sem_open("/gate", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_open("/gate", O_CREAT, 0600, 5) == gate);
    pthread_create(&thread, 0, worker, 0);
    sem_wait(gate);
    count++;
    sem_post(gate);
    pthread_join(thread, 0);
    assert(count == 2);
    assert(sem_unlink("/gate") == 0);
    assert(sem_unlink("/gate") == -1);
    return 0;
}
