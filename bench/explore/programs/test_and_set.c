// A test-and-set lock: THREADS threads add to a counter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int counter;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&taken))
        ;
    counter++;
    atomic_flag_clear(&taken);
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
