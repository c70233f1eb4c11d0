// sley: reach=true race=true deadlock=true memory=true overflow=true
// The flag is set with release and seen with acquire: the data is ordered.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, 0, sender, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data;
    pthread_join(thread, 0);
    return seen;
}
