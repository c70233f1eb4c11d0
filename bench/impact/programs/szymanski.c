// expect: safe
// Szymanski's mutual exclusion for two threads: a waiting room with two doors.
#include <assert.h>
#include <pthread.h>

int flag_one, flag_two; // 0 to 4
int inside; // written and tested in the critical sections

void *thread_one(void *unused)
{
    flag_one = 1; // outside, wants to come in
    while (flag_two >= 3)
        ;
    flag_one = 3; // in the doorway
    if (flag_two == 1) {
        flag_one = 2; // waits for the other to come in
        while (flag_two != 4)
            ;
    }
    flag_one = 4; // the door is closed
    while (flag_two >= 2)
        ;
    inside = 0;
    assert(inside <= 0);
    while (2 <= flag_two && flag_two <= 3)
        ;
    flag_one = 0;
    return 0;
}

void *thread_two(void *unused)
{
    flag_two = 1; // outside, wants to come in
    while (flag_one >= 3)
        ;
    flag_two = 3; // in the doorway
    if (flag_one == 1) {
        flag_two = 2; // waits for the other to come in
        while (flag_one != 4)
            ;
    }
    flag_two = 4; // the door is closed
    while (flag_one >= 2)
        ;
    inside = 1;
    assert(inside >= 1);
    while (2 <= flag_one && flag_one <= 3)
        ;
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
