/* The queue lock of Mellor-Crummey and Scott: three threads, two rounds each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS 3
#define ROUNDS 2

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_bool is_locked;
};

static _Atomic(struct waiter *) tail;
static int counter;

static void lock(struct waiter *me) {
    atomic_store(&me->next, NULL);
    struct waiter *before = atomic_exchange(&tail, me);
    if (before == NULL)
        return;
    atomic_store(&me->is_locked, true);
    atomic_store(&before->next, me);
    while (atomic_load(&me->is_locked))
        ;
}

static void unlock(struct waiter *me) {
    struct waiter *after = atomic_load(&me->next);
    if (after == NULL) {
        struct waiter *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while ((after = atomic_load(&me->next)) == NULL)
            ;
    }
    atomic_store(&after->is_locked, false);
}

static void *work(void *argument) {
    struct waiter *me = argument;
    for (int round = 0; round < ROUNDS; round++) {
        lock(me);
        counter++;
        unlock(me);
    }
    return NULL;
}

int main(void) {
    static struct waiter waiters[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &waiters[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
