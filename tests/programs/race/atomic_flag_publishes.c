// sley: reach=true race=true deadlock=true memory=true overflow=true
// An atomic flag with release and acquire orders what is written before and read after.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data;

void *producer(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data == 42);
    pthread_join(thread, 0);
    return 0;
}
