// sley: reach=true race=true deadlock=true memory=true overflow=true
// As s06_frozen_subtree, with an assertion that holds.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *thread_one(void *unused)
{
    x = 0;
    return 0;
}

void *thread_two(void *unused)
{
    if (x == 0)
        goto out;
out:
    x = 1;
    assert(x <= 1);
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
