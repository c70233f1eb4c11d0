// Threads find the maximum of an array, two elements each, and a lock for each element; it is never below one that
// was looked at. The array is an input of any length: VALUES bounds its elements where given.
// After the parallel reduction "simple" of: A. F. Donaldson et al., "Symmetry-aware predicate abstraction for
// shared-variable concurrent programs", CAV 2011.
// BUG: no lock. Fails from 2 threads: one overwrites a larger maximum.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define SHARE 2 // elements for each thread
int maximum = INT_MIN;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
        int mine = element();
#ifndef BUG
        pthread_mutex_lock(&lock);
#endif
        if (mine > maximum)
            maximum = mine;
#ifndef BUG
        pthread_mutex_unlock(&lock);
#endif
        pthread_mutex_lock(&lock);
        assert(mine <= maximum);
        pthread_mutex_unlock(&lock);
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
