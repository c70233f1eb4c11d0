// sley: reach=true race=true deadlock=true memory=true overflow=true
// What was read is good if a compare-exchange finds the number that was there before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int version, first, second;

void *add(void *unused)
{
    int before, sum;
    do {
        before = version;
        sum = first + second;
    } while (!atomic_compare_exchange_strong(&version, &before, before + 1));
    first = sum;
    second = 1;
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, add, 0);
    pthread_create(&threads[1], 0, add, 0);
    pthread_create(&threads[2], 0, add, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[2], 0);
    assert(version == 3);
    return 0;
}
