// Szymanski's mutual exclusion for two threads, a waiting room with two doors: never both inside.
// After: B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear wait", 1988.
// BUG: the second thread does not let the first go before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ELSEWHERE, OUTSIDE, WAITING, DOORWAY, CLOSED };
_Atomic int flag_one, flag_two;
int inside;

void *thread_one(void *unused)
{
    flag_one = OUTSIDE;
    while (flag_two >= DOORWAY)
        ;
    flag_one = DOORWAY;
    if (flag_two == OUTSIDE) {
        flag_one = WAITING;
        while (flag_two != CLOSED)
            ;
    }
    flag_one = CLOSED;
    // of all that wait the one with the smallest number goes first: thread one waits for nobody
    inside = 1;
    assert(inside == 1);
    while (flag_two == WAITING || flag_two == DOORWAY)
        ;
    flag_one = ELSEWHERE;
    return 0;
}

void *thread_two(void *unused)
{
    flag_two = OUTSIDE;
    while (flag_one >= DOORWAY)
        ;
    flag_two = DOORWAY;
    if (flag_one == OUTSIDE) {
        flag_two = WAITING;
        while (flag_one != CLOSED)
            ;
    }
    flag_two = CLOSED;
#ifndef BUG
    while (flag_one >= WAITING)
        ;
#endif
    inside = 2;
    assert(inside == 2);
    flag_two = ELSEWHERE;
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
