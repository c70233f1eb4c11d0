/* A ring buffer between two producers and one consumer: a mutex and two condition variables. */
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ITEMS 3

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int items[SIZE];
    unsigned head, tail, count;
} ring = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void put(int item) {
    pthread_mutex_lock(&ring.lock);
    while (ring.count == SIZE)
        pthread_cond_wait(&ring.not_full, &ring.lock);
    ring.items[ring.tail] = item;
    ring.tail = (ring.tail + 1) % SIZE;
    ring.count++;
    pthread_cond_signal(&ring.not_empty);
    pthread_mutex_unlock(&ring.lock);
}

static int take(void) {
    pthread_mutex_lock(&ring.lock);
    while (ring.count == 0)
        pthread_cond_wait(&ring.not_empty, &ring.lock);
    int item = ring.items[ring.head];
    ring.head = (ring.head + 1) % SIZE;
    ring.count--;
    pthread_cond_signal(&ring.not_full);
    pthread_mutex_unlock(&ring.lock);
    return item;
}

static void *produce(void *argument) {
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return NULL;
}

static void *consume(void *argument) {
    int sum = 0;
    for (int i = 0; i < 2 * ITEMS; i++)
        sum += take();
    assert(sum == ITEMS * (ITEMS + 1));
    return NULL;
}

int main(void) {
    pthread_t producers[2], consumer;
    for (int i = 0; i < 2; i++)
        pthread_create(&producers[i], NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    pthread_join(consumer, NULL);
    return 0;
}
