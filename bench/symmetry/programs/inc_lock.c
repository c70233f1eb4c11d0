// A counter under a lock: whoever has counted finds it above the value that was counted from.
// After the counter with a lock in: B. Goetz, "Introduction to nonblocking algorithms", IBM developerWorks, 2006.
// BUG: counts without the lock. Fails from 3 threads: one writes back an old value after two others have counted.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
unsigned value;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    unsigned old;
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    old = value;
    if (old != UINT_MAX)
        value = old + 1;
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    if (old != UINT_MAX) {
        pthread_mutex_lock(&lock);
        assert(value > old);
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
