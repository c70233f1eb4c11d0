// A counter that goes up and down with compare-and-swap: it moves against a thread only if some thread goes the
// other way, and that one says so before; so the counter is read first, then who has been there.
// After the counter with compare-and-swap in: B. Goetz, "Introduction to nonblocking algorithms", IBM
// developerWorks, 2006.
// BUG: a plain write upwards. Fails from 3 threads: one writes back an old value after two others went up.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic unsigned value;
_Atomic _Bool went_up, went_down;

void up(void)
{
    unsigned old = value, now;
    do {
        if (old == UINT_MAX)
            return;
        went_up = 1;
#ifdef BUG
        value = old + 1;
        break;
#endif
    } while (!atomic_compare_exchange_strong(&value, &old, old + 1));
    now = value;
    assert(now > old || went_down);
}

void down(void)
{
    unsigned old = value, now;
    do {
        if (old == 0)
            return;
        went_down = 1;
    } while (!atomic_compare_exchange_strong(&value, &old, old - 1));
    now = value;
    assert(now < old || went_up);
}

void *worker(void *unused)
{
    if (__VERIFIER_nondet_bool())
        up();
    else
        down();
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
