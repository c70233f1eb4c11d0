// expect: safe
// A buffer of two places, numbers go in and come out in their order, forever.
#include <assert.h>
#include <pthread.h>

#define SIZE 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
unsigned buffer[SIZE];
int first, count;

static void put(unsigned value)
{
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&changed, &lock);
    buffer[(first + count) % SIZE] = value;
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static unsigned take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    unsigned value = buffer[first];
    first = (first + 1) % SIZE;
    count--;
    assert(0 <= count && count <= SIZE);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

void *thread_one(void *unused)
{
    for (unsigned next = 0;; next++)
        put(next);
    return 0;
}

void *thread_two(void *unused)
{
    for (unsigned expected = 0;; expected++)
        assert(take() == expected);
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
