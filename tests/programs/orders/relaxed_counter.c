// sley: reach=true race=true deadlock=true memory=true overflow=true
// A relaxed counter counts, and the join orders the last look at it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *worker(void *unused)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(atomic_load_explicit(&count, memory_order_relaxed) == 2);
    return 0;
}
