// A counter that goes up and down under a lock: it moves against a thread only if some thread goes the other way.
// After the counter with a lock in: B. Goetz, "Introduction to nonblocking algorithms", IBM developerWorks, 2006.
// BUG: goes up without the lock. Fails from 3 threads: one writes back an old value after two others went up.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
unsigned value;
_Bool went_up, went_down;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void up(void)
{
    unsigned old;
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    old = value;
    if (old != UINT_MAX) {
        went_up = 1;
        value = old + 1;
    }
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    if (old != UINT_MAX) {
        pthread_mutex_lock(&lock);
        assert(went_down || value > old);
        pthread_mutex_unlock(&lock);
    }
}

void down(void)
{
    unsigned old;
    pthread_mutex_lock(&lock);
    old = value;
    if (old != 0) {
        went_down = 1;
        value = old - 1;
    }
    pthread_mutex_unlock(&lock);
    if (old != 0) {
        pthread_mutex_lock(&lock);
        assert(went_up || value < old);
        pthread_mutex_unlock(&lock);
    }
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
