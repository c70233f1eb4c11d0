// A ticket lock: THREADS threads add to a counter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next, serving;
int counter;

void *worker(void *unused)
{
    int ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != ticket)
        ;
    counter++;
    atomic_store(&serving, ticket + 1);
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
