// sley: reach=true race=false deadlock=true memory=true overflow=true
// As rc11_treiber_stack.c, but the push is relaxed: who pops the node may not see what is in it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static _Atomic(struct node *) top;

static void push(struct node *node, int value)
{
    node->value = value;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = old;
    while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_relaxed, memory_order_relaxed));
}

static struct node *pop(void)
{
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old && !atomic_compare_exchange_weak_explicit(&top, &old, old->next, memory_order_acquire,
                                                         memory_order_acquire))
        ;
    return old;
}

static struct node nodes[2];

static void *pusher(void *argument)
{
    push(&nodes[0], 1);
    push(&nodes[1], 2);
    return 0;
}

static void *popper(void *argument)
{
    struct node *node = pop();
    if (node)
        assert(node->value == 1 || node->value == 2);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, pusher, 0);
    pthread_create(&second, 0, popper, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
