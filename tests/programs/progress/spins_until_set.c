// sley: reach=true race=true deadlock=true memory=true overflow=true progress=true
// A thread waits for a flag that main sets.
#include <pthread.h>

_Atomic int flag;

void *worker(void *unused)
{
    while (!flag)
        ;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
