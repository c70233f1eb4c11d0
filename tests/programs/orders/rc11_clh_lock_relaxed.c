// sley: race=false
// A queue lock whose exchange is relaxed: who comes second may see its predecessor's node from before it was marked as held.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { atomic_int is_held; };

static struct node free_node, nodes[2];
static _Atomic(struct node *) tail = &free_node;
static int counter;

static void lock(struct node *mine)
{
    atomic_store_explicit(&mine->is_held, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_relaxed);
    while (atomic_load_explicit(&before->is_held, memory_order_acquire))
        ;
}

static void unlock(struct node *mine)
{
    atomic_store_explicit(&mine->is_held, 0, memory_order_release);
}

static void *worker(void *mine)
{
    lock(mine);
    counter++;
    unlock(mine);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, &nodes[0]);
    pthread_create(&second, 0, worker, &nodes[1]);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
