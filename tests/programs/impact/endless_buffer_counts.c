// sley: reach=true race=true deadlock=true memory=true overflow=true
// A buffer of which only the count is kept, with a mutex and two conditions, one producer and two consumers, forever.
#include <assert.h>
#include <pthread.h>

#define SIZE 4

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t has_place = PTHREAD_COND_INITIALIZER, has_value = PTHREAD_COND_INITIALIZER;
int count;

void *thread_one(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&has_place, &lock);
        count++;
        assert(0 < count && count <= SIZE);
        pthread_cond_signal(&has_value);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void consume(void)
{
    while (1) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&has_value, &lock);
        count--;
        assert(0 <= count && count < SIZE);
        pthread_cond_signal(&has_place);
        pthread_mutex_unlock(&lock);
    }
}

void *thread_two(void *unused)
{
    consume();
    return 0;
}

void *thread_three(void *unused)
{
    consume();
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_create(&three, 0, thread_three, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
