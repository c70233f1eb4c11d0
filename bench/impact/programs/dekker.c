// expect: safe
// Dekker's mutual exclusion for two threads, with plain variables.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int flag_one, flag_two;
int turn;
int inside; // written and tested in the critical sections

void *thread_one(void *unused)
{
    flag_one = 1;
    while (flag_two >= 1) {
        if (turn != 0) {
            flag_one = 0;
            while (turn != 0)
                ;
            flag_one = 1;
        }
    }
    inside = 0;
    assert(inside <= 0);
    turn = 1;
    flag_one = 0;
    return 0;
}

void *thread_two(void *unused)
{
    flag_two = 1;
    while (flag_one >= 1) {
        if (turn != 1) {
            flag_two = 0;
            while (turn != 1)
                ;
            flag_two = 1;
        }
    }
    inside = 1;
    assert(inside >= 1);
    turn = 1;
    flag_two = 0;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    turn = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= turn && turn <= 1);
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
