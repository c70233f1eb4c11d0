// Threads find the maximum of an array, two elements each, with a compare-and-swap for each element; it is never
// below one that was looked at. The array is an input of any length: VALUES bounds its elements where given.
// After the parallel reduction "simple" of: A. F. Donaldson et al., "Symmetry-aware predicate abstraction for
// shared-variable concurrent programs", CAV 2011.
// BUG: a plain write. Fails from 2 threads: one overwrites a larger maximum.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define SHARE 2 // elements for each thread
_Atomic int maximum = INT_MIN;

int element(void)
{
    int value = __VERIFIER_nondet_int();
#ifdef VALUES
    __VERIFIER_assume(0 <= value && value < VALUES);
#endif
    return value;
}

void *worker(void *unused)
{
    for (int i = 0; i < SHARE; i++) {
        int mine = element(), old = maximum;
        while (mine > old) {
#ifdef BUG
            maximum = mine;
            break;
#endif
            if (atomic_compare_exchange_strong(&maximum, &old, mine))
                break;
        }
        assert(mine <= maximum);
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
