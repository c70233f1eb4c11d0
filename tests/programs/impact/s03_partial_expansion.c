// sley: reach=false race=true deadlock=true memory=true overflow=true
// Thread one reads, then asserts: a node that got one thread from a cover expansion still has its own to expand.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *thread_one(void *unused)
{
    int seen = x;
    assert(seen == 0);
    return 0;
}

void *thread_two(void *unused)
{
    int steps = 0;
    x = 1;
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
