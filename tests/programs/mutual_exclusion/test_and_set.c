// sley: reach=true race=true deadlock=true memory=true overflow=true
// A spin lock made of an atomic flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int counter;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&busy))
        ;
    counter++;
    atomic_flag_clear(&busy);
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
