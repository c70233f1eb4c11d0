// expect: safe
// A ticket lock, forever: tickets begin again at 0 when they are used up.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned next, serving;
int inside;

static void run(int me)
{
    while (1) {
        unsigned mine = next++;
        while (serving != mine)
            ;
        inside = me;
        assert(inside == me);
        serving = mine + 1;
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
