// Lamport's fast mutual exclusion for two threads, five writes and two reads if nobody else comes: never both inside.
// After: L. Lamport, "A fast mutual exclusion algorithm", 1987, algorithm 2.
// BUG: the second thread does not wait until the other has stopped trying.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x, y; // who came last; who is about to go in, or 0
_Atomic _Bool trying_one, trying_two;
int inside;

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
        while (trying_two)
            ;
        if (y == 1)
            break;
        while (y != 0)
            ;
    }
    inside = 1;
    assert(inside == 1);
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
#ifndef BUG
        while (trying_one)
            ;
#endif
        if (y == 2)
            break;
        while (y != 0)
            ;
    }
    inside = 2;
    assert(inside == 2);
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
