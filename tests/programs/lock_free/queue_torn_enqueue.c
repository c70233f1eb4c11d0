// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two threads append to a queue without compare-and-swap: one of the nodes gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
};

struct node nodes[3];
_Atomic(struct node *) tail = &nodes[0];

static void enqueue(struct node *node)
{
    struct node *last = tail;
    last->next = node;
    tail = node;
}

void *worker(void *node)
{
    enqueue(node);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, &nodes[1]);
    enqueue(&nodes[2]);
    pthread_join(thread, 0);
    int length = 0;
    for (struct node *node = nodes[0].next; node != NULL; node = node->next)
        length++;
    assert(length == 2);
    return 0;
}
