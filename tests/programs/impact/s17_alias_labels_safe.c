// sley: reach=true race=true deadlock=true memory=true overflow=true
// The index is computed, and never the one that is read.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int a[2];
_Atomic int i = 0, j = 1;

void *thread_one(void *unused)
{
    assert(a[j] == 0);
    return 0;
}

void *thread_two(void *unused)
{
    if (__VERIFIER_nondet_bool())
        goto out;
    i = 1 - j;
out:
    a[i] = 1;
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
