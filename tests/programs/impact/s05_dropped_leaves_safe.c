// sley: reach=true race=true deadlock=true memory=true overflow=true
// What was once 1 stays 1.
#include <assert.h>
#include <pthread.h>

_Atomic int y;

void *thread_one(void *unused)
{
    if (y == 1)
        assert(y == 1);
    return 0;
}

void *thread_two(void *unused)
{
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
