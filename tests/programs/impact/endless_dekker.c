// sley: reach=true race=true deadlock=true memory=true overflow=true
// Dekker's algorithm, forever.
#include <assert.h>
#include <pthread.h>

_Atomic int flag[2], turn;
int inside;

static void run(int me)
{
    int other = 1 - me;
    while (1) {
        flag[me] = 1;
        while (flag[other]) {
            if (turn == other) {
                flag[me] = 0;
                while (turn == other)
                    ;
                flag[me] = 1;
            }
        }
        inside = me;
        assert(inside == me);
        turn = other;
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
