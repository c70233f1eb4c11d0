// sley: reach=true race=true deadlock=true memory=true overflow=true
// A counter is how many threads are between two places: whoever is there finds it positive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int readers;

void *worker(void *unused)
{
    atomic_fetch_add(&readers, 1);
    assert(readers > 0);
    atomic_fetch_sub(&readers, 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
