// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// Main leaves by pthread_exit, the other thread waits for ever: the process never ends, and loses nothing.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t never;

void *worker(void *unused)
{
    int *own = malloc(sizeof *own);
    *own = 1;
    sem_wait(&never);
    free(own);
    return 0;
}

int main(void)
{
    pthread_t one;
    sem_init(&never, 0, 0);
    pthread_create(&one, 0, worker, 0);
    pthread_exit(0);
}
