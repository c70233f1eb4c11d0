// sley: reach=true race=true deadlock=true memory=true overflow=true
// Locks in heap blocks, taken in the order of their addresses: no deadlock, whatever malloc returns.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

pthread_mutex_t *one, *two;

void both(pthread_mutex_t *a, pthread_mutex_t *b)
{
    pthread_mutex_t *low = (uintptr_t)a < (uintptr_t)b ? a : b;
    pthread_mutex_t *high = low == a ? b : a;
    pthread_mutex_lock(low);
    pthread_mutex_lock(high);
    pthread_mutex_unlock(high);
    pthread_mutex_unlock(low);
}

void *other(void *unused)
{
    both(two, one);
    return 0;
}

int main(void)
{
    pthread_t thread;
    one = malloc(sizeof *one);
    two = malloc(sizeof *two);
    pthread_mutex_init(one, 0);
    pthread_mutex_init(two, 0);
    pthread_create(&thread, 0, other, 0);
    both(one, two);
    pthread_join(thread, 0);
    free(one);
    free(two);
    return 0;
}
