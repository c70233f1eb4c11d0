// sley: reach=true race=true deadlock=true memory=true overflow=true
// A condition variable beside a relaxed counter: the mutex orders, whoever wakes up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int started;
static int is_ready, data;

static void *producer(void *argument)
{
    atomic_fetch_add_explicit(&started, 1, memory_order_relaxed);
    data = 1;
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    atomic_fetch_add_explicit(&started, 1, memory_order_relaxed);
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    assert(data == 1);
    pthread_join(thread, 0);
    return 0;
}
