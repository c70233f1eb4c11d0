// sley: reach=true race=true deadlock=true memory=true overflow=true
// A counter that stops at a bound, and one that goes down to none: forever, under a lock.
#include <assert.h>
#include <pthread.h>

#define BOUND 1000000

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int level;

void *filler(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (level < BOUND)
            level++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *drainer(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (level > 0)
            level--;
        assert(0 <= level && level < BOUND);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, filler, 0);
    pthread_create(&two, 0, drainer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
