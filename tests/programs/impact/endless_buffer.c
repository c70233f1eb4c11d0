// sley: reach=true race=true deadlock=true memory=true overflow=true
// A buffer of two places with a mutex and a condition, forever: what goes in comes out, in that order.
#include <assert.h>
#include <pthread.h>

#define SIZE 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int buffer[SIZE], first, count;

static void put(int value)
{
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&changed, &lock);
    buffer[(first + count) % SIZE] = value;
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    int value = buffer[first];
    first = (first + 1) % SIZE;
    count--;
    assert(0 <= count && count <= SIZE);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

void *thread_one(void *unused)
{
    int next = 0;
    while (1) {
        put(next);
        next = (next + 1) % 3;
    }
    return 0;
}

void *thread_two(void *unused)
{
    int expected = 0;
    while (1) {
        assert(take() == expected);
        expected = (expected + 1) % 3;
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
