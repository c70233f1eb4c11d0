// A ring for half of SIZE numbers: one thread tries SIZE times to send the next one, one as often to receive,
// and they arrive in their order. The unsafe one takes the ring for full one number too late: SIZE, UNSAFE.
#include <assert.h>
#include <pthread.h>

#define CAPACITY ((SIZE + 1) / 2)
int ring[CAPACITY], head, tail, count, sent, received;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *sender(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (count < CAPACITY + UNSAFE) {
            sent = sent + 1;
            ring[tail] = sent;
            tail = tail + 1 == CAPACITY ? 0 : tail + 1;
            count = count + 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *receiver(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (count > 0) {
            received = received + 1;
            assert(ring[head] == received);
            head = head + 1 == CAPACITY ? 0 : head + 1;
            count = count - 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, sender, 0);
    pthread_create(&other, 0, receiver, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(count == sent - received);
    return 0;
}
