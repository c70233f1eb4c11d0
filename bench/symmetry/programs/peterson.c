// Peterson's mutual exclusion for two threads: never both inside.
// After: G. L. Peterson, "Myths about the mutual exclusion problem", 1981.
// BUG: the second thread is polite before it says that it wants to come in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic _Bool wants_one, wants_two;
_Atomic int first = 1; // who goes first if both want to
int inside;

void *thread_one(void *unused)
{
    wants_one = 1;
    first = 2;
    while (wants_two && first == 2)
        ;
    inside = 1;
    assert(inside == 1);
    wants_one = 0;
    return 0;
}

void *thread_two(void *unused)
{
#ifdef BUG
    first = 1;
    wants_two = 1;
#else
    wants_two = 1;
    first = 1;
#endif
    while (wants_one && first == 1)
        ;
    inside = 2;
    assert(inside == 2);
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
