// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Three threads are alike, and the last to add sees three.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *worker(void *unused)
{
    int before = atomic_load(&count);
    atomic_fetch_add(&count, 1);
    assert(before < 2);
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
