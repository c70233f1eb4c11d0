// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two mutexes order nothing between each other, although a relaxed flag says who was first.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

void *sender(void *unused)
{
    pthread_mutex_lock(&one);
    data = 1;
    pthread_mutex_unlock(&one);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, 0, sender, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        pthread_mutex_lock(&two);
        seen = data;
        pthread_mutex_unlock(&two);
    }
    pthread_join(thread, 0);
    return seen;
}
