// sley: reach=false race=true deadlock=true memory=false overflow=true
// The halves of a local variable's address travel apart; who reads through them may still meet the variable, or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint32_t low, high;

void *owner(void *unused)
{
    int local = 0;
    int *address = &local;
    low = (uint32_t)(uintptr_t)address;
    high = (uint32_t)((uintptr_t)address >> 32);
    return 0;
}

void *reader(void *unused)
{
    uint32_t upper = high;
    if (upper) {
        int *address = (int *)((uintptr_t)upper << 32 | low);
        assert(*address != 0);
    }
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, owner, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
