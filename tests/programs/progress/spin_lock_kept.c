// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// A lock of one's own that the first owner does not give back.
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&taken))
        ;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
