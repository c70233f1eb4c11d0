// sley: reach=true race=true deadlock=true memory=true overflow=true
// Data under a mutex needs nothing from the relaxed flag beside it.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int hint;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *sender(void *unused)
{
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_mutex_unlock(&mutex);
    atomic_store_explicit(&hint, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, 0, sender, 0);
    if (atomic_load_explicit(&hint, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        seen = data;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, 0);
    return seen;
}
