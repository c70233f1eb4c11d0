// sley: reach=false race=false
// What is asserted under a lock is broken by a thread that has given the lock back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);
atomic_int flag;
int x;

void *worker(void *unused)
{
    while (atomic_exchange(&flag, 1))
        ;
    x = 1;
    assert(x == 1);
    x = 0;
    flag = 0;
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
