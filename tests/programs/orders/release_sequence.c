// sley: reach=true race=true deadlock=true memory=true overflow=true
// A relaxed read-modify-write goes on with the release that it read from.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int count;

void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&count, 1, memory_order_release);
    return 0;
}

void *relay(void *unused)
{
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&count, &expected, 2, memory_order_relaxed, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    int seen = 1;
    pthread_create(&one, 0, sender, 0);
    pthread_create(&two, 0, relay, 0);
    if (atomic_load_explicit(&count, memory_order_acquire) == 2)
        seen = data;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen;
}
