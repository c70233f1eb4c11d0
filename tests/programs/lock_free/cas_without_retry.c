// sley: reach=false race=true deadlock=true memory=true overflow=true
// The compare-and-swap can fail, and nobody looks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *worker(void *unused)
{
    int seen = counter;
    atomic_compare_exchange_strong(&counter, &seen, seen + 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
