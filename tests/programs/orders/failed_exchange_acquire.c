// sley: reach=true race=true deadlock=true memory=true overflow=true
// A compare-exchange that fails has the second order: here it acquires.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int state;

void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&state, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int expected = 0, seen = 1;
    pthread_create(&thread, 0, sender, 0);
    if (!atomic_compare_exchange_strong_explicit(&state, &expected, 0, memory_order_acq_rel, memory_order_acquire))
        seen = data;
    pthread_join(thread, 0);
    return seen;
}
