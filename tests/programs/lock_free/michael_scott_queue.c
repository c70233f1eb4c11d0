// sley: reach=true race=true deadlock=true memory=true overflow=true
// The enqueue of Michael and Scott: whoever finds the tail lagging behind helps it forward.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

struct node nodes[3];
_Atomic(struct node *) tail = &nodes[0];

static void enqueue(struct node *node)
{
    for (;;) {
        struct node *last = tail;
        struct node *next = last->next;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

void *worker(void *node)
{
    enqueue(node);
    return 0;
}

int main(void)
{
    pthread_t thread;
    nodes[1].value = 1;
    nodes[2].value = 2;
    pthread_create(&thread, 0, worker, &nodes[1]);
    enqueue(&nodes[2]);
    pthread_join(thread, 0);
    struct node *first = nodes[0].next;
    struct node *second = first->next;
    assert(first->value + second->value == 3);
    assert(second->next == NULL && tail == second);
    return 0;
}
