// expect: safe
// One thread counts what it makes, the other what it takes, both under a lock: at most three are left over.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned made, taken;

void *thread_one(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (made - taken < 3)
            made++;
        assert(made - taken <= 3);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *thread_two(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (made != taken)
            taken++;
        assert(made - taken <= 3);
        pthread_mutex_unlock(&lock);
    }
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
