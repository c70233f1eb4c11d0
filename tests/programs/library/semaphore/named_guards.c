// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two threads make a semaphore of one name: it is the same, and lets in one at a time.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

unsigned int count;

void *worker(void *name)
{
    sem_t *gate = sem_open(name, O_CREAT, 0600, 1);
    if (gate == SEM_FAILED)
        return 0;
    sem_wait(gate);
    count++;
    sem_post(gate);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, "/gate");
    worker("/gate");
    pthread_join(thread, 0);
    return 0;
}
