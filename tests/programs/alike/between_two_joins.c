// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// One thread runs a little longer; what main sees between two joins depends on which of them it joins first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;

void *worker(void *is_longer)
{
    if (is_longer)
        atomic_store(&done, 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, &done);
    pthread_join(a, 0);
    assert(atomic_load(&done));
    pthread_join(b, 0);
    return 0;
}
