// A ticket lock: draw a number, wait until it is served; never two threads inside.
// After: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors", 1991, Sect. 2.2. Whoever would draw a number that is still waited for goes away instead.
// BUG: draws in two steps. Fails from 2 threads: both draw the same number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
_Atomic unsigned next_ticket, now_serving;
int inside;

void *worker(void *unused)
{
    unsigned mine;
    _Bool is_full;
#ifndef BUG
    __VERIFIER_atomic_begin();
#endif
    mine = next_ticket;
    is_full = mine + 1 == now_serving;
    if (!is_full)
        next_ticket = mine + 1;
#ifndef BUG
    __VERIFIER_atomic_end();
#endif
    if (is_full)
        return 0;
    while (now_serving != mine)
        ;
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    now_serving = mine + 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
#ifdef THREADS
    for (int i = 0; i < THREADS; i++)
#else
    while (__VERIFIER_nondet_bool())
#endif
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
