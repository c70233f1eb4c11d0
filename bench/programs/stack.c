// One pushes 1 to SIZE, one pops as often unless the stack is empty; what lies deeper is smaller: SIZE, UNSAFE.
// The unsafe one pops as soon as the stack has ever been half full.
#include <assert.h>
#include <pthread.h>

int items[SIZE], top, was_half_full;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *pusher(void *unused)
{
    for (int i = 1; i <= SIZE; i++) {
        pthread_mutex_lock(&lock);
        items[top] = i;
        top = top + 1;
        if (2 * top >= SIZE)
            was_half_full = 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *popper(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (UNSAFE ? was_half_full : top > 0) {
            assert(top > 0);
            top = top - 1;
            assert(items[top] > 0);
            if (top > 0)
                assert(items[top - 1] < items[top]);
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, pusher, 0);
    pthread_create(&other, 0, popper, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(top >= 0 && top <= SIZE);
    return 0;
}
