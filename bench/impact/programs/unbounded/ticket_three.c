// expect: safe
// A ticket lock for three threads, forever: tickets are bytes and begin again at 0.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned char next, serving;
int inside;

static void run(int me)
{
    while (1) {
        unsigned char mine = next++;
        while (serving != mine)
            ;
        inside = me;
        assert(inside == me);
        serving = (unsigned char)(mine + 1);
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
