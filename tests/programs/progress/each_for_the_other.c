// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// Two threads, each of which waits until the other has begun to leave.
#include <pthread.h>

_Atomic int one, other;

void *worker(void *unused)
{
    while (!one)
        ;
    other = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!other)
        ;
    one = 1;
    pthread_join(t, 0);
    return 0;
}
