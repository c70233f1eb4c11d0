// sley: reach=false race=true deadlock=true memory=true overflow=true
// A branch of no effect between the write and the assertion: whoever was covered by a node that is now covered
// itself has to be looked at again.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x;

void *thread_one(void *unused)
{
    x = 1;
    if (__VERIFIER_nondet_bool())
        goto out;
out:
    assert(x == 1);
    return 0;
}

void *thread_two(void *unused)
{
    x = 0;
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
