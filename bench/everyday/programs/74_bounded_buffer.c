// sley: reach=true race=true deadlock=true memory=true overflow=true
// A ring with two places between a producer and a consumer, with semaphores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { PLACES = 2, ITEMS = 4 };

static int ring[PLACES];
static sem_t empty, full;

static void *produce(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        ring[i % PLACES] = i + 1;
        sem_post(&full);
    }
    return NULL;
}

static void *consume(void *arg)
{
    int *sum = arg;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        assert(ring[i % PLACES] == i + 1);
        *sum += ring[i % PLACES];
        sem_post(&empty);
    }
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;
    int sum = 0;
    if (sem_init(&empty, 0, PLACES) != 0 || sem_init(&full, 0, 0) != 0)
        return 1;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, &sum);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(sum == 10);
    sem_destroy(&empty);
    sem_destroy(&full);
    return 0;
}
