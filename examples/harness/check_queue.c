/* What must hold of the queue, for every schedule: one thread puts, another takes, and all arrives in order. */

#include "queue.h"
#include <assert.h>

#define ITEMS 2

static struct queue queue;

static void *producer(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        queue_put(&queue, i);
    return unused;
}

int main(void) {
    pthread_t thread;
    queue_init(&queue);
    pthread_create(&thread, 0, producer, 0);
    for (int i = 0; i < ITEMS; i++)
        assert(queue_take(&queue) == i);
    pthread_join(thread, 0);
    assert(queue.count == 0);
    queue_destroy(&queue);
    return 0;
}
