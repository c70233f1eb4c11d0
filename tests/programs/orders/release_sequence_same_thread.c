// sley: reach=true race=true deadlock=true memory=true overflow=true
// A relaxed store of the same thread goes on with its release (not in C++20).
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int count;

void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&count, 1, memory_order_release);
    atomic_store_explicit(&count, 2, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t one;
    int seen = 1;
    pthread_create(&one, 0, sender, 0);
    if (atomic_load_explicit(&count, memory_order_acquire) == 2)
        seen = data;
    pthread_join(one, 0);
    return seen;
}
