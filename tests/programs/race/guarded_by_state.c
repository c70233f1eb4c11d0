// sley: reach=true race=true deadlock=true memory=true overflow=true
// No lock protects the value: an atomic phase says whose turn it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int phase;
int value;

void *worker(void *unused)
{
    while (phase != 1)
        ;
    value = value * 2;
    phase = 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    value = 21;
    phase = 1;
    if (phase == 2)
        assert(value == 42);
    pthread_join(thread, 0);
    assert(value == 42);
    return 0;
}
