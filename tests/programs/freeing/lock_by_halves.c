// sley: reach=false race=true deadlock=true memory=true overflow=true
// The halves of a mutex' address travel apart; one thread keeps the mutex for good, unless the other was first.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
uint32_t low, high;

void *keeper(void *unused)
{
    pthread_mutex_lock(&mutex);
    return 0;
}

void *other(void *unused)
{
    pthread_mutex_t *hidden = (pthread_mutex_t *)((uintptr_t)high << 32 | low);
    pthread_mutex_lock(hidden);
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    low = (uint32_t)(uintptr_t)&mutex;
    high = (uint32_t)((uintptr_t)&mutex >> 32);
    pthread_create(&first, 0, keeper, 0);
    pthread_create(&second, 0, other, 0);
    pthread_detach(second);
    pthread_join(first, 0);
    return 0;
}
