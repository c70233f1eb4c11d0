// sley: reach=true race=true deadlock=true memory=true overflow=true
// Behind the assumption, the value is known.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

_Atomic int y;

void *thread_one(void *unused)
{
    y = 1;
    return 0;
}

void *thread_two(void *unused)
{
    __VERIFIER_assume(y == 1);
    assert(y == 1);
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
