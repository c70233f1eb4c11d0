// sley: reach=true race=true deadlock=true memory=true overflow=true
// Relaxed accesses before there is another thread, and to memory of one thread, are not weak.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int shared;

void *worker(void *unused)
{
    atomic_int own;
    atomic_store_explicit(&own, 1, memory_order_relaxed);
    shared += atomic_load_explicit(&own, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    atomic_store_explicit(&shared, 1, memory_order_relaxed);
    pthread_create(&thread, 0, worker, 0);
    shared++;
    pthread_join(thread, 0);
    assert(shared == 3);
    return 0;
}
