// expect: bug
// A thread enters if no other one wants to; that of low priority says so itself only after it has looked.
#include <assert.h>
#include <pthread.h>

int wants_high, wants_middle, wants_low, inside;

void *high(void *unused)
{
    for (int i = 0; i < N; i++) {
        wants_high = 1;
        if (!wants_middle && !wants_low) {
            inside = 1;
            assert(inside == 1);
            inside = 0;
        }
        wants_high = 0;
    }
    return 0;
}

void *middle(void *unused)
{
    for (int i = 0; i < N; i++) {
        wants_middle = 1;
        if (!wants_high && !wants_low) {
            inside = 2;
            assert(inside == 2);
            inside = 0;
        }
        wants_middle = 0;
    }
    return 0;
}

void *low(void *unused)
{
    int served = 0;
    for (int i = 0; i < N; i++) {
        if (!wants_high && !wants_middle) {
            wants_low = 1;
            inside = 3;
            served = served + 1;
            assert(served < N || inside == 3);
            inside = 0;
            wants_low = 0;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, high, 0);
    pthread_create(&two, 0, middle, 0);
    pthread_create(&three, 0, low, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
