// sley: reach=true race=true deadlock=true memory=true overflow=true
// A push whose compare-exchange leaves what it found in the new node: a round that fails writes what was there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; };

static _Atomic(struct node *) top;
static struct node nodes[2];

static void *push(void *argument)
{
    struct node *node = argument;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed))
        ;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, push, &nodes[0]);
    pthread_create(&second, 0, push, &nodes[1]);
    pthread_join(first, 0);
    pthread_join(second, 0);
    struct node *node = atomic_load_explicit(&top, memory_order_relaxed);
    assert(node && node->next && !node->next->next);
    return 0;
}
