// sley: reach=true race=true deadlock=true memory=true overflow=true progress=true
// A thread that has no end, but the process has one.
#include <pthread.h>

_Atomic int turns;

void *worker(void *unused)
{
    for (;;)
        turns = !turns;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
