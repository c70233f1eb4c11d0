// sley: reach=true race=true deadlock=true memory=true overflow=true
// What a thread wrote is there when it has been joined.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *thread_one(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, thread_one, 0);
    pthread_join(one, 0);
    assert(x == 1);
    return 0;
}
