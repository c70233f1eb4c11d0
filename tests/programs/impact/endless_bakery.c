// sley: reach=true race=true deadlock=true memory=true overflow=true
// A bakery with tickets of two colours, forever: no ticket is higher than the number of customers.
#include <assert.h>
#include <pthread.h>

#define THREADS 2

_Atomic int colour;            // of the tickets that are given out now
_Atomic int choosing[THREADS];
_Atomic int ticket[THREADS];   // 0, or twice the number, plus the colour
int inside;

static int choose(int me)
{
    choosing[me] = 1;
    int mine = colour, highest = 0;
    for (int other = 0; other < THREADS; other++) {
        int theirs = ticket[other];
        if (theirs % 2 == mine && theirs / 2 > highest)
            highest = theirs / 2;
    }
    mine += 2 * (highest + 1);
    ticket[me] = mine;
    choosing[me] = 0;
    return mine;
}

static int goes_first(int other, int me, int mine)
{
    int theirs = ticket[other];
    if (theirs == 0)
        return 0;
    if (theirs % 2 != mine % 2)
        return mine % 2 == colour;
    return theirs < mine || (theirs == mine && other < me);
}

static void run(int me)
{
    while (1) {
        int mine = choose(me);
        for (int other = 0; other < THREADS; other++) {
            while (choosing[other])
                ;
            while (goes_first(other, me, mine))
                ;
        }
        inside = me;
        assert(inside == me);
        colour = 1 - mine % 2;
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
