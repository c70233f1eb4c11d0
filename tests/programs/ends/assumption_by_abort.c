// sley: reach=false race=true deadlock=true memory=true overflow=true
// A lock written with an assumption that aborts: both threads may get through, one after the other.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int held, entered;

static void require(int condition)
{
    if (!condition)
        abort();
}

void __VERIFIER_atomic_take(void)
{
    require(held == 0);
    held = 1;
}

void __VERIFIER_atomic_give(void)
{
    require(held == 1);
    held = 0;
}

void *worker(void *unused)
{
    __VERIFIER_atomic_take();
    entered = entered + 1;
    __VERIFIER_atomic_give();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(entered != 2);
    return 0;
}
