// The queue lock of Mellor-Crummey and Scott: each waits at a node of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
    atomic_int waits;
};

struct node *_Atomic tail;
int counter;

void *worker(void *unused)
{
    struct node own;
    atomic_init(&own.next, 0);
    atomic_init(&own.waits, 1);
    struct node *before = atomic_exchange(&tail, &own);
    if (before) {
        atomic_store(&before->next, &own);
        while (atomic_load(&own.waits))
            ;
    }
    counter++;
    struct node *expected = &own;
    if (!atomic_compare_exchange_strong(&tail, &expected, 0)) {
        while (!atomic_load(&own.next))
            ;
        atomic_store(&atomic_load(&own.next)->waits, 0);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(counter == THREADS);
    return 0;
}
