#include "queue.h"

#ifdef BROKEN
#define WAIT_WHILE if /* what people write before they have met a spurious wake-up */
#else
#define WAIT_WHILE while
#endif

void queue_init(struct queue *q) {
    pthread_mutex_init(&q->lock, 0);
    pthread_cond_init(&q->not_empty, 0);
    pthread_cond_init(&q->not_full, 0);
    q->first = q->count = 0;
}

void queue_put(struct queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    WAIT_WHILE (q->count == SLOTS)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->first + q->count) % SLOTS] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

int queue_take(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    WAIT_WHILE (q->count == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    int item = q->items[q->first];
    q->first = (q->first + 1) % SLOTS;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

void queue_destroy(struct queue *q) {
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->not_empty);
    pthread_cond_destroy(&q->not_full);
}
