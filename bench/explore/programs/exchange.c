// THREADS threads add to a counter by compare-exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *worker(void *unused)
{
    int old = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &old, old + 1))
        ;
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(counter == THREADS);
    return 0;
}
