// Dekker's mutual exclusion for two threads: never both inside.
// After: E. W. Dijkstra, "Cooperating sequential processes", 1965, Sect. 2.1.
// BUG: the second thread looks at the other's flag before it sets its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic _Bool wants_one, wants_two;
_Atomic int turn = 1;
int inside;

void *thread_one(void *unused)
{
    wants_one = 1;
    while (wants_two) {
        if (turn != 1) {
            wants_one = 0;
            while (turn != 1)
                ;
            wants_one = 1;
        }
    }
    inside = 1;
    assert(inside == 1);
    turn = 2;
    wants_one = 0;
    return 0;
}

void *thread_two(void *unused)
{
#ifndef BUG
    wants_two = 1;
#endif
    while (wants_one) {
        if (turn != 2) {
            wants_two = 0;
            while (turn != 2)
                ;
            wants_two = 1;
        }
    }
#ifdef BUG
    wants_two = 1;
#endif
    inside = 2;
    assert(inside == 2);
    turn = 1;
    wants_two = 0;
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
