// sley: reach=true race=true deadlock=true memory=true overflow=true
// An update that changes nothing, and whose result nobody looks at, still releases what came before it.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *sender(void *unused)
{
    data = 1;
    atomic_fetch_add_explicit(&ready, 0, memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, 0, sender, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire) == 1)
        seen = data;
    pthread_join(thread, 0);
    return seen;
}
