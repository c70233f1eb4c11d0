// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Three threads with numbers of their own stand at the same place, and any of them can be the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_long first;

void *worker(void *number)
{
    long none = 0;
    atomic_compare_exchange_strong(&first, &none, (long)number);
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, (void *)1);
    pthread_create(&b, 0, worker, (void *)2);
    pthread_create(&c, 0, worker, (void *)3);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(first == 3);
    return 0;
}
