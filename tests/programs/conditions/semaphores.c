// sley: reach=true race=true deadlock=true memory=true overflow=true
// Producer and consumer with two semaphores; the place in between needs no lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { ITEMS = 2 };
sem_t empty, full;
int place;

void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        sem_wait(&empty);
        place = i;
        sem_post(&full);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&thread, 0, producer, 0);
    for (int i = 1; i <= ITEMS; i++) {
        sem_wait(&full);
        assert(place == i);
        sem_post(&empty);
    }
    pthread_join(thread, 0);
    return 0;
}
