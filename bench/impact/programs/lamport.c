// expect: safe
// Lamport's fast mutual exclusion for two threads: five writes and two reads if nobody else comes.
#include <assert.h>
#include <pthread.h>

int x, y;
int trying_one, trying_two;
int inside; // written and tested in the critical sections

void *thread_one(void *unused)
{
    while (1) {
        trying_one = 1;
        x = 1;
        if (y != 0) {
            trying_one = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x == 1)
            break;
        trying_one = 0;
        while (trying_two >= 1)
            ;
        if (y == 1)
            break;
        while (y != 0)
            ;
    }
    inside = 0;
    assert(inside <= 0);
    y = 0;
    trying_one = 0;
    return 0;
}

void *thread_two(void *unused)
{
    while (1) {
        trying_two = 1;
        x = 2;
        if (y != 0) {
            trying_two = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x == 2)
            break;
        trying_two = 0;
        while (trying_one >= 1)
            ;
        if (y == 2)
            break;
        while (y != 0)
            ;
    }
    inside = 1;
    assert(inside >= 1);
    y = 0;
    trying_two = 0;
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
