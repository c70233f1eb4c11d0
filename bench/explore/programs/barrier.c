// THREADS threads count, meet at a barrier, and see that all have counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;
pthread_barrier_t all;

void *worker(void *unused)
{
    atomic_fetch_add(&counter, 1);
    pthread_barrier_wait(&all);
    assert(atomic_load(&counter) == THREADS);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&all, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
