// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lamport's fast mutual exclusion, forever: two writes and two reads are enough if nobody else comes.
#include <assert.h>
#include <pthread.h>

_Atomic int x, y, trying[2];
int inside;

static void enter(int me)
{
    int other = 1 - me;
    while (1) {
        trying[me] = 1;
        x = me + 1;
        if (y != 0) {
            trying[me] = 0;
            while (y != 0)
                ;
            continue;
        }
        y = me + 1;
        if (x == me + 1)
            return;
        trying[me] = 0;
        while (trying[other])
            ;
        if (y == me + 1)
            return;
        while (y != 0)
            ;
    }
}

static void run(int me)
{
    while (1) {
        enter(me);
        inside = me;
        assert(inside == me);
        y = 0;
        trying[me] = 0;
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
