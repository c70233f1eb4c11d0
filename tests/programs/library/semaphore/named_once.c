// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Of two threads that make a new semaphore one succeeds at most, and of two that unlink it.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

_Atomic int made, unlinked;

void *worker(void *unused)
{
    if (sem_open("/gate", O_CREAT | O_EXCL, 0600, 1) != SEM_FAILED)
        assert(++made == 1);
    return 0;
}

void *unlinks(void *unused)
{
    if (sem_unlink("/gate") == 0)
        assert(++unlinked == 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, unlinks, 0);
    unlinks(0);
    pthread_join(thread, 0);
    return 0;
}
