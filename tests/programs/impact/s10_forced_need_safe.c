// sley: reach=true race=true deadlock=true memory=true overflow=true
// The value is written before the flag that announces it.
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
    y = 1;
    x = 1;
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
