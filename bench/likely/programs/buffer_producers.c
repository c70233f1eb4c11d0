// expect: bug
// Two producers look whether there is room before they take the lock; the ring overflows once it is nearly full.
#include <assert.h>
#include <pthread.h>

#define CAPACITY N
int ring[CAPACITY + 2], tail, count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *unused)
{
    for (int i = 0; i < N; i++) {
        int room;
        pthread_mutex_lock(&lock);
        room = CAPACITY - count;
        pthread_mutex_unlock(&lock);
        if (room > 0) {
            pthread_mutex_lock(&lock);
            assert(count < CAPACITY);
            ring[tail] = i;
            tail = tail == CAPACITY - 1 ? 0 : tail + 1;
            count = count + 1;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

void *consumer(void *unused)
{
    for (int i = 0; i < N / 2; i++) {
        pthread_mutex_lock(&lock);
        if (count > 0)
            count = count - 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, producer, 0);
    pthread_create(&three, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
