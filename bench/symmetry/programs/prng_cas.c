// Pseudo-random numbers with compare-and-swap: the seed is never 0, no two numbers come from the same draw, and
// each is between 1 and 10. How the next seed is computed is left open: VALUES bounds it where given.
// After the generator with compare-and-swap in: B. Goetz, "Going atomic", IBM developerWorks, 2004.
// BUG: swaps without comparing. Fails from 2 threads: both draw from the same seed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
_Atomic unsigned seed = 1;

unsigned after(unsigned old)
{
    unsigned next = __VERIFIER_nondet_uint();
#ifdef VALUES
    __VERIFIER_assume(next <= VALUES);
#endif
    __VERIFIER_assume(next != old && next != 0);
    return next;
}

void *worker(void *unused)
{
    unsigned old, replaced, next, number;
    do {
        old = seed;
        assert(old != 0);
        next = after(old);
        replaced = old;
#ifdef BUG
        replaced = atomic_exchange(&seed, next);
        break;
#endif
    } while (!atomic_compare_exchange_strong(&seed, &replaced, next));
    assert(replaced == old);
    number = old % 10;
    if (number == 0)
        number = 10;
    assert(number >= 1 && number <= 10);
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
