// sley: reach=false race=true deadlock=true memory=true overflow=true
// Relaxed stores and loads of two variables: both threads may miss the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_x, seen_y;

void *first(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *second(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(seen_x || seen_y);
    return 0;
}
