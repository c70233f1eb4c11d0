// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// One of two increments may be lost: then main counts in vain.
#include <pthread.h>

_Atomic int count;

void *worker(void *unused)
{
    int seen = count;
    count = seen + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    while (count != 2)
        ;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
