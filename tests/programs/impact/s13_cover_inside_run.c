// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two ways, one with a write, meet before a local step: no cover in the middle of a step.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x;

void *thread_one(void *unused)
{
    assert(x == 0);
    return 0;
}

void *thread_two(void *unused)
{
    int steps = 0;
    if (__VERIFIER_nondet_bool())
        goto out;
    x = 1;
out:
    steps++;
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
