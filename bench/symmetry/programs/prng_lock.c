// Pseudo-random numbers under a lock: the seed is never 0, no two numbers come from the same draw, and each is
// between 1 and 10. How the next seed is computed is left open: VALUES bounds it where given.
// After the generator with a lock in: B. Goetz, "Going atomic", IBM developerWorks, 2004.
// BUG: draws without the lock. Fails from 2 threads: both draw from the same seed.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
unsigned seed = 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
    unsigned old, next, number;
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    old = seed;
    assert(old != 0);
    next = after(old);
    assert(seed == old);
    seed = next;
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
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
