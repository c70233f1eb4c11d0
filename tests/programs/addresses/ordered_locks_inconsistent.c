// sley: reach=true race=true deadlock=false memory=true overflow=true
// One thread locks the lower address first, the other the higher one: a deadlock in every layout.
#include <pthread.h>
#include <stdint.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *up(void *unused)
{
    pthread_mutex_t *low = (uintptr_t)&a < (uintptr_t)&b ? &a : &b;
    pthread_mutex_t *high = low == &a ? &b : &a;
    pthread_mutex_lock(low);
    pthread_mutex_lock(high);
    pthread_mutex_unlock(high);
    pthread_mutex_unlock(low);
    return 0;
}

void *down(void *unused)
{
    pthread_mutex_t *high = (uintptr_t)&a > (uintptr_t)&b ? &a : &b;
    pthread_mutex_t *low = high == &a ? &b : &a;
    pthread_mutex_lock(high);
    pthread_mutex_lock(low);
    pthread_mutex_unlock(low);
    pthread_mutex_unlock(high);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, up, 0);
    pthread_create(&two, 0, down, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
