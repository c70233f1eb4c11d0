/* The queue of Michael and Scott: two threads, each puts two values and takes two. Nothing is freed before the end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[5];
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];
static int taken[5];

static void put(struct node *node, int value) {
    node->value = value;
    atomic_store(&node->next, NULL);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int take(void) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (next == NULL)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void *work(void *argument) {
    int base = *(int *)argument;
    for (int i = 0; i < 2; i++)
        put(&nodes[base + i], base + i);
    for (int i = 0; i < 2; i++)
        taken[base + i] = take();
    return NULL;
}

int main(void) {
    int bases[2] = {1, 3}, sum = 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &bases[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < 5; i++)
        sum += taken[i];
    assert(sum == 1 + 2 + 3 + 4);
    return 0;
}
