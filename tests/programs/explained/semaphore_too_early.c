// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The thread may wait for the semaphore before main initialises it.
// why: `items` has not been initialised before consumer uses it
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
static int consumed;

static void *consumer(void *unused)
{
    sem_wait(&items);  // decisive
    consumed++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    sem_init(&items, 0, 0);
    sem_post(&items);
    pthread_join(thread, NULL);
    sem_destroy(&items);
    return consumed != 1;
}
