// sley: reach=true race=true deadlock=true memory=true overflow=true
// A flag as a lock: what is written while it is set is seen by the next one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int count;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    count++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(count == 2);
    return 0;
}
