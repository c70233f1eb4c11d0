// sley: reach=true race=false deadlock=true memory=true overflow=true
// A relaxed load and store of another thread do not go on with a release.
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
    if (atomic_load_explicit(&count, memory_order_relaxed) == 1)
        atomic_store_explicit(&count, 2, memory_order_relaxed);
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
