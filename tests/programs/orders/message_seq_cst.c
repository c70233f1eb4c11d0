// sley: reach=true race=true deadlock=true memory=true overflow=true
// A flag that is seq_cst on both sides, so that the program is not weak.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_seq_cst);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, 0, sender, 0);
    if (atomic_load_explicit(&ready, memory_order_seq_cst))
        seen = data;
    pthread_join(thread, 0);
    return seen;
}
