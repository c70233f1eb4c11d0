// sley: reach=true race=true deadlock=true memory=true overflow=true
// The queue lock of Mellor-Crummey and Scott: each thread waits for the one before it, at a place of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct place { _Atomic(struct place *) next; atomic_int is_waiting; };

static _Atomic(struct place *) last;
static struct place places[2];
static int counter;

static void lock(struct place *own)
{
    atomic_store_explicit(&own->next, (struct place *)0, memory_order_relaxed);
    atomic_store_explicit(&own->is_waiting, 1, memory_order_relaxed);
    struct place *before = atomic_exchange_explicit(&last, own, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, own, memory_order_release);
        while (atomic_load_explicit(&own->is_waiting, memory_order_acquire))
            ;
    }
}

static void unlock(struct place *own)
{
    struct place *after = atomic_load_explicit(&own->next, memory_order_acquire);
    if (!after) {
        struct place *expected = own;
        if (atomic_compare_exchange_strong_explicit(&last, &expected, (struct place *)0, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while (!(after = atomic_load_explicit(&own->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&after->is_waiting, 0, memory_order_release);
}

static void *worker(void *own)
{
    lock(own);
    counter++;
    unlock(own);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, &places[0]);
    pthread_create(&b, 0, worker, &places[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
