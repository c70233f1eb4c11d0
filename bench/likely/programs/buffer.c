// expect: safe
// Two producers and two consumers with one lock; what is in the ring is what was put in and not taken out.
#include <assert.h>
#include <pthread.h>

#define CAPACITY 2
int ring[CAPACITY], head, tail, count, sent, received;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (count < CAPACITY) {
            sent = sent + 1;
            ring[tail] = sent;
            tail = 1 - tail;
            count = count + 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consumer(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (count > 0) {
            received = received + 1;
            assert(ring[head] == received);
            head = 1 - head;
            count = count - 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three, four;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, producer, 0);
    pthread_create(&three, 0, consumer, 0);
    pthread_create(&four, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    pthread_join(four, 0);
    assert(count == sent - received);
    return 0;
}
