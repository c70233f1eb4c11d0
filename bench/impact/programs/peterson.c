// expect: safe
// Peterson's mutual exclusion for two threads, with plain variables.
#include <assert.h>
#include <pthread.h>

int flag_one, flag_two;
int turn;
int inside; // written and tested in the critical sections

void *thread_one(void *unused)
{
    flag_one = 1;
    turn = 1;
    while (flag_two == 1 && turn == 1)
        ;
    inside = 0;
    assert(inside <= 0);
    flag_one = 0;
    return 0;
}

void *thread_two(void *unused)
{
    flag_two = 1;
    turn = 0;
    while (flag_one == 1 && turn == 0)
        ;
    inside = 1;
    assert(inside >= 1);
    flag_two = 0;
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
