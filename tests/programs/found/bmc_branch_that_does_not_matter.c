// sley: reach=false race=true deadlock=true memory=true overflow=true
// Which way the threads go makes no difference to the assertion; a replay has to go some way.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int zeros = 0, ones = 1, low, high;

void *worker(void *unused)
{
    if (zeros == 0)
        low = 1;
    else
        high = 1;
    if (ones == 0)
        low = 2;
    else
        high = 2;
    zeros *= 2;
    ones *= 3;
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(0);
    return 0;
}
