// A counter with compare-and-swap: whoever has counted finds it above the value that was counted from.
// After the counter with compare-and-swap in: B. Goetz, "Introduction to nonblocking algorithms", IBM
// developerWorks, 2006.
// BUG: a plain write. Fails from 3 threads: one writes back an old value after two others have counted.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic unsigned value;

void *worker(void *unused)
{
    unsigned old = value;
    do {
        if (old == UINT_MAX)
            return 0;
#ifdef BUG
        value = old + 1;
        break;
#endif
    } while (!atomic_compare_exchange_strong(&value, &old, old + 1));
    assert(value > old);
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
