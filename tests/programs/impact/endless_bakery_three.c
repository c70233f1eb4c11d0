// sley: reach=true race=true deadlock=true memory=true overflow=true
// A bakery with tickets of two colours, three customers, forever.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

_Atomic int colour;
_Atomic int choosing[THREADS], own_colour[THREADS], ticket[THREADS];
int inside;

static void choose(int me)
{
    choosing[me] = 1;
    int mine = colour;
    own_colour[me] = mine;
    int highest = 0;
    for (int other = 0; other < THREADS; other++) {
        int theirs = ticket[other];
        if (own_colour[other] == mine && theirs > highest)
            highest = theirs;
    }
    ticket[me] = highest + 1;
    choosing[me] = 0;
}

static int goes_first(int me, int other)
{
    int theirs = ticket[other];
    if (theirs == 0)
        return 0;
    if (own_colour[other] != own_colour[me])
        return own_colour[me] == colour;
    int mine = ticket[me];
    return theirs < mine || (theirs == mine && other < me);
}

static void run(int me)
{
    while (1) {
        choose(me);
        for (int other = 0; other < THREADS; other++) {
            if (other == me)
                continue;
            while (choosing[other])
                ;
            while (goes_first(me, other))
                ;
        }
        inside = me;
        assert(inside == me);
        colour = 1 - own_colour[me];
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

void *thread_three(void *unused)
{
    run(2);
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_create(&three, 0, thread_three, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
