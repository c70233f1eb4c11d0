// sley: reach=true race=true deadlock=true memory=true overflow=true
// As s08_uncover_on_refine, with an assertion that holds.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x;

void *thread_one(void *unused)
{
    assert(x <= 1);
    return 0;
}

void *thread_two(void *unused)
{
    if (__VERIFIER_nondet_bool())
        goto out;
    x = 1;
out:
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
