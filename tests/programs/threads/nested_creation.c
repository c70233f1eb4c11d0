// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread creates and joins a thread of its own.
#include <assert.h>
#include <pthread.h>

int steps;

void *inner(void *unused)
{
    steps = steps * 10 + 2;
    return 0;
}

void *outer(void *unused)
{
    pthread_t thread;
    steps = steps * 10 + 1;
    pthread_create(&thread, 0, inner, 0);
    pthread_join(thread, 0);
    steps = steps * 10 + 3;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, outer, 0);
    pthread_join(thread, 0);
    assert(steps == 123);
    return 0;
}
