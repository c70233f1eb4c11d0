// sley: reach=false race=true deadlock=true memory=true overflow=true
// As endless_equal, but each thread has its own lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
_Atomic int a, b;

static void run(int me)
{
    while (1) {
        pthread_mutex_lock(&lock[me]);
        assert(a == b);
        a = 1 - a;
        b = 1 - b;
        pthread_mutex_unlock(&lock[me]);
    }
}

void *thread_one(void *unused)
{
    run(0);
    return 0;
}

void *thread_two(void *unused)
{
    run(1);
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
