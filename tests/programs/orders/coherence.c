// sley: reach=true race=true deadlock=true memory=true overflow=true
// Even relaxed loads of one variable never go back to an older value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int first = atomic_load_explicit(&x, memory_order_relaxed);
    int second = atomic_load_explicit(&x, memory_order_relaxed);
    assert(first <= second);
    pthread_join(thread, 0);
    return 0;
}
