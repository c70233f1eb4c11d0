// THREADS threads write one variable, each its own number, and one reads it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer(void *number)
{
    atomic_store(&x, (int)(long)number);
    return 0;
}

void *reader(void *unused)
{
    int seen = atomic_load(&x);
    assert(seen >= 0 && seen <= THREADS);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS], last;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, writer, (void *)(long)(i + 1));
    pthread_create(&last, 0, reader, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_join(last, 0);
    return 0;
}
