// sley: reach=true race=true deadlock=true memory=true overflow=true
// What was written before the creation is there for the thread.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *thread_one(void *unused)
{
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t one;
    x = 1;
    pthread_create(&one, 0, thread_one, 0);
    pthread_join(one, 0);
    return 0;
}
