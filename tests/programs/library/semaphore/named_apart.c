// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Two names are two semaphores: they exclude nothing.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

unsigned int count;
sem_t *one, *other;

void *worker(void *unused)
{
    sem_wait(one);
    count++;
    sem_post(one);
    return 0;
}

int main(void)
{
    pthread_t thread;
    one = sem_open("/one", O_CREAT, 0600, 1);
    other = sem_open("/other", O_CREAT, 0600, 1);
    if (one == SEM_FAILED || other == SEM_FAILED)
        return 0;
    pthread_create(&thread, 0, worker, 0);
    sem_wait(other);
    count++;
    sem_post(other);
    pthread_join(thread, 0);
    return 0;
}
