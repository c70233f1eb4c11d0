// expect: safe
// A counter under a lock, forever: it stops before it overflows.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

static void run(void)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (x < INT_MAX)
            x++;
        assert(x >= 0);
        pthread_mutex_unlock(&lock);
    }
}

void *thread_one(void *unused)
{
    run();
    return 0;
}

void *thread_two(void *unused)
{
    run();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
