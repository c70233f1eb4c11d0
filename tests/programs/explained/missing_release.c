// sley: reach=true race=false deadlock=true memory=true overflow=true
// A message is published by a flag, but the flag's order is relaxed.
// why: the store is relaxed: only release would order them
#include <pthread.h>
#include <stdatomic.h>

static char message[4];
static atomic_int is_ready;
static char received;

static void *sender(void *unused)
{
    message[0] = 'h';  // decisive
    atomic_store_explicit(&is_ready, 1, memory_order_relaxed);  // decisive
    return NULL;
}

static void *receiver(void *unused)
{
    if (atomic_load_explicit(&is_ready, memory_order_acquire))  // decisive
        received = message[0];  // decisive
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, receiver, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return received != 'h';
}
