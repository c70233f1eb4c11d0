// sley: reach=true race=true deadlock=true memory=true overflow=true
// The orders are arguments of wrappers: release and acquire.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

static void set(atomic_int *flag, memory_order order)
{
    atomic_store_explicit(flag, 1, order);
}

static int get(atomic_int *flag, memory_order order)
{
    return atomic_load_explicit(flag, order);
}

void *sender(void *unused)
{
    data = 1;
    set(&ready, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, 0, sender, 0);
    if (get(&ready, memory_order_acquire))
        seen = data;
    pthread_join(thread, 0);
    return seen;
}
