// expect: safe
// A number that grows by two under a lock stays even, forever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned x;

static void run(void)
{
    while (1) {
        pthread_mutex_lock(&lock);
        x++;
        assert(x % 2 == 1);
        x++;
        assert(x % 2 == 0);
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
