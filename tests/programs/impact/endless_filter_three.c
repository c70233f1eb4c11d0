// sley: reach=true race=true deadlock=true memory=true overflow=true
// The filter lock for three threads, forever: each level holds back the last one that came.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

_Atomic int level[THREADS], last[THREADS];
int inside;

static int is_followed(int me, int at)
{
    for (int other = 0; other < THREADS; other++)
        if (other != me && level[other] >= at)
            return 1;
    return 0;
}

static void run(int me)
{
    while (1) {
        for (int at = 1; at < THREADS; at++) {
            level[me] = at;
            last[at] = me;
            while (is_followed(me, at) && last[at] == me)
                ;
        }
        inside = me;
        assert(inside == me);
        level[me] = 0;
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
