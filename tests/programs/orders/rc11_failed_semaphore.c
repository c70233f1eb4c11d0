// sley: reach=true race=false deadlock=true memory=true overflow=true
// A semaphore beside a relaxed flag: who waited for it knows what was before the post, who failed to get it does not.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t ready;
static atomic_int flag;
static int data, other;

static void *producer(void *argument)
{
    data = 1;
    other = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    sem_post(&ready);
    return 0;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, producer, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed) && sem_trywait(&ready) != 0)
        other = 2;
    else
        sem_trywait(&ready);
    pthread_join(thread, 0);
    assert(data == 1);
    return 0;
}
