// Only the first thread counts, in a shared and in a local variable, and both stay equal: whoever wants to prove it
// has to relate the two. VALUES bounds the rounds where given.
// After the example that needs mixed predicates in: A. F. Donaldson et al., "Symmetry-aware predicate abstraction
// for shared-variable concurrent programs", CAV 2011.
// BUG: comes in two steps. Fails from 2 threads: both take themselves for the first.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
_Atomic unsigned came;
unsigned shared;

void come(void)
{
    unsigned old;
#ifndef BUG
    __VERIFIER_atomic_begin();
#endif
    old = came;
    if (old != UINT_MAX)
        came = old + 1;
#ifndef BUG
    __VERIFIER_atomic_end();
#endif
}

void *worker(void *unused)
{
    unsigned local = 0;
    come();
    if (came == 1) {
#ifdef VALUES
        while (local < VALUES) {
#else
        while (1) {
#endif
            shared = shared + 1;
            local = local + 1;
            assert(shared == local);
        }
    }
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
