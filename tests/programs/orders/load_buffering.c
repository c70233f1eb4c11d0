// sley: reach=true race=true deadlock=true memory=true overflow=true
// No value comes out of thin air: what is read was written before (RC11).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_x, seen_y;

void *first(void *unused)
{
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, seen_x, memory_order_relaxed);
    return 0;
}

void *second(void *unused)
{
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, seen_y, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(seen_x == 0 && seen_y == 0);
    return 0;
}
