// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Threads are alike, and return who came first; main looks at the result of one of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *worker(void *unused)
{
    return (void *)(long)atomic_fetch_add(&count, 1);
}

int main(void)
{
    pthread_t a, b;
    void *result;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, &result);
    pthread_join(b, 0);
    assert(!result);
    return 0;
}
