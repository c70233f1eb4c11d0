// sley: reach=false race=true deadlock=true memory=true overflow=false
// A thread publishes an overflowed constant; the other one reads it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int mask;

void *worker(void *unused)
{
    mask = 1 << 31;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(mask >= 0);
    pthread_join(thread, 0);
    return 0;
}
