// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two counters without locks that stop at the largest value, but the second begins too high.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int high, low = 11;

void *climber(void *unused)
{
    while (1)
        if (high < INT_MAX)
            high++;
    return 0;
}

void *diver(void *unused)
{
    while (1)
        if (low > INT_MIN)
            low--;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, climber, 0);
    pthread_create(&two, 0, diver, 0);
    while (1) {
        assert(high >= 0);
        assert(low <= 10);
    }
    return 0;
}
