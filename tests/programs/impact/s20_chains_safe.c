// sley: reach=true race=true deadlock=true memory=true overflow=true
// As s20_chains, with an assertion that holds.
#include <assert.h>
#include <pthread.h>

_Atomic int y, z;

void *thread_one(void *unused)
{
    assert(z <= 1);
    return 0;
}

void *thread_two(void *unused)
{
    y = 1;
    y = 1;
    return 0;
}

void *thread_three(void *unused)
{
    z = y;
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_create(&three, 0, thread_three, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
