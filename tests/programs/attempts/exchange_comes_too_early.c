// sley: reach=false race=true deadlock=true memory=true overflow=true
// A number is taken before the value that goes with it is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int version, value;

void *add(void *unused)
{
    int before, found;
    do {
        before = version;
        found = value;
    } while (!atomic_compare_exchange_strong(&version, &before, before + 1));
    value = found + 1;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, add, 0);
    pthread_create(&threads[1], 0, add, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(value == 2);
    return 0;
}
