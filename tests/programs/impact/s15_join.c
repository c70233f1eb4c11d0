// sley: reach=false race=true deadlock=true memory=true overflow=true
// Main gets to its assertion only behind the end of the thread: joining depends on ending although they share no
// variable.
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
    assert(0);
    return 0;
}
