// A spin lock: inside, nobody else sees or changes what one has written.
// After the introductory example of: C. Flanagan, S. Qadeer, "Thread-modular model checking", SPIN 2003.
// BUG: no lock. Fails from 2 threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic int lock;
int data = 1;

void *worker(void *unused)
{
#ifndef BUG
    int is_free = 0;
    while (!atomic_compare_exchange_strong(&lock, &is_free, 1))
        is_free = 0;
#endif
    data = 0;
    data = 1;
    assert(data == 1);
#ifndef BUG
    lock = 0;
#endif
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
