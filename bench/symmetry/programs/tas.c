// A lock that is taken by test-and-set: never two threads inside.
// After: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors", 1991, Sect. 2.1.
// BUG: tests, then sets, in two steps. Fails from 2 threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic _Bool taken;
int inside;

void *worker(void *unused)
{
#ifdef BUG
    while (taken)
        ;
    taken = 1;
#else
    while (atomic_exchange(&taken, 1))
        ;
#endif
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    taken = 0;
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
