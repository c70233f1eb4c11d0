// sley: reach=false race=true deadlock=true memory=true overflow=true
// Nobody looks at what a compare-exchange has found, yet it may write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int value;

void *writer(void *unused)
{
    int expected = 0;
    atomic_compare_exchange_strong(&value, &expected, 1);
    return 0;
}

void *reader(void *unused)
{
    assert(value == 1);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
