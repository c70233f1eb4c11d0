// sley: reach=true race=true deadlock=true memory=true overflow=true
// The queue of Michael and Scott, nodes used once: who takes a value out sees what was put in with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { int value; _Atomic(struct node *) next; };

static struct node nodes[3];
static _Atomic(struct node *) head = &nodes[0];
static _Atomic(struct node *) tail = &nodes[0];

static void put(struct node *node, int value)
{
    node->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

static int take(void)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next)
            return 0;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
            return next->value;
    }
}

static void *producer(void *node)
{
    put(node, node == &nodes[1] ? 1 : 2);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, &nodes[1]);
    pthread_create(&b, 0, producer, &nodes[2]);
    int first = take();
    int second = take();
    assert(first != second || first == 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
