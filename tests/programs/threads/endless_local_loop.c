// sley: reach=false race=true deadlock=true memory=true overflow=true
// A thread in an endless local loop does not keep the others from their steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int reached;

void *spinner(void *unused)
{
    while (1)
        ;
    return 0;
}

void *worker(void *unused)
{
    reached = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, spinner, 0);
    pthread_create(&b, 0, worker, 0);
    assert(!reached);
    return 0;
}
