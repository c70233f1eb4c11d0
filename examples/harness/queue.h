#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

#ifndef SLOTS
#define SLOTS 16
#endif

/* A bounded queue that any number of threads may use. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[SLOTS];
    unsigned first, count;
};

void queue_init(struct queue *q);
void queue_put(struct queue *q, int item); /* waits while it is full */
int queue_take(struct queue *q);           /* waits while it is empty */
void queue_destroy(struct queue *q);

#endif
