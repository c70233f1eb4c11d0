// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each thread has an element of the array for itself.
#include <assert.h>
#include <pthread.h>

int results[2];

void *worker(void *index)
{
    results[(long)index] = 10 + (int)(long)index;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(results[0] == 10 && results[1] == 11);
    return 0;
}
