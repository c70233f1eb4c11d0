// Each of THREADS threads writes and reads its own element of an array.
#include <assert.h>
#include <pthread.h>

int elements[THREADS];

void *worker(void *number)
{
    long own = (long)number;
    elements[own] = own;
    assert(elements[own] == own);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
