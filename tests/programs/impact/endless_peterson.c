// sley: reach=true race=true deadlock=true memory=true overflow=true
// Peterson's algorithm, forever: the plain variable belongs to who is inside.
#include <assert.h>
#include <pthread.h>

_Atomic int flag[2], turn;
int inside;

static void run(int me)
{
    int other = 1 - me;
    while (1) {
        flag[me] = 1;
        turn = other;
        while (flag[other] && turn == other)
            ;
        inside = me;
        assert(inside == me);
        flag[me] = 0;
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
