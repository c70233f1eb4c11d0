// expect: safe
// Lamport's bakery, forever: who finds the highest possible ticket waits until it is gone.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

_Atomic int choosing[2], ticket[2];
int inside;

static int highest_of(int other)
{
    int theirs;
    do
        theirs = ticket[other];
    while (theirs == INT_MAX);
    return theirs;
}

static int goes_first(int other, int me, int mine)
{
    int theirs = ticket[other];
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
}

static void run(int me)
{
    int other = 1 - me;
    while (1) {
        choosing[me] = 1;
        int mine = highest_of(other) + 1;
        ticket[me] = mine;
        choosing[me] = 0;
        while (choosing[other])
            ;
        while (goes_first(other, me, mine))
            ;
        inside = me;
        assert(inside == me);
        ticket[me] = 0;
    }
}

void *thread_one(void *unused)
{
    run(0);
    return 0;
}

void *thread_two(void *unused)
{
    run(1);
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
