// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// Main leaves without ending the process, and nobody stops the other thread.
#include <pthread.h>

_Atomic int stop, turns;

void *worker(void *unused)
{
    while (!stop)
        turns = !turns;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
