// sley: reach=false race=true deadlock=true memory=true overflow=true
// The flag is set before the value it announces: a forced cover owes cover expansions like any other.
#include <assert.h>
#include <pthread.h>

_Atomic int x, y;

void *thread_one(void *unused)
{
    if (x == 0)
        goto out;
    assert(y == 1);
out:
    return 0;
}

void *thread_two(void *unused)
{
    x = 1;
    y = 1;
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
