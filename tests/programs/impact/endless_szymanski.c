// sley: reach=true race=true deadlock=true memory=true overflow=true
// Szymanski's algorithm, forever: a waiting room with two doors, left in the order of the numbers.
#include <assert.h>
#include <pthread.h>

enum { OUTSIDE, WANTS, WAITS, DOORWAY, CLOSED };

_Atomic int flag[2];
int inside;

static void run(int me)
{
    int other = 1 - me;
    while (1) {
        flag[me] = WANTS;
        while (flag[other] >= DOORWAY)
            ;
        flag[me] = DOORWAY;
        if (flag[other] == WANTS) {
            flag[me] = WAITS;
            while (flag[other] != CLOSED)
                ;
        }
        flag[me] = CLOSED;
        if (me == 1) {
            while (flag[other] >= WAITS)
                ;
        }
        inside = me;
        assert(inside == me);
        if (me == 0) {
            int seen;
            do
                seen = flag[other];
            while (seen == WAITS || seen == DOORWAY);
        }
        flag[me] = OUTSIDE;
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
