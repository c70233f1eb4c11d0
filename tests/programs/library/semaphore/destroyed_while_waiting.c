// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A semaphore is destroyed although a thread may wait for it.
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;

void *worker(void *unused)
{
    sem_wait(&semaphore);
    return 0;
}

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    sem_destroy(&semaphore);
    return 0;
}
