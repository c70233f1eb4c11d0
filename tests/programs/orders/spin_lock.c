// sley: reach=true race=true deadlock=true memory=true overflow=true
// A spin lock with the orders that it needs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_flag lock = ATOMIC_FLAG_INIT;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    data++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(data == 2);
    return 0;
}
