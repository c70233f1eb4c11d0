// sley: reach=false race=true deadlock=true memory=true overflow=true
// `x = x + 1` on an atomic object is two steps: no data race, but an update can get lost.
#include <assert.h>
#include <pthread.h>

_Atomic int counter;

void *worker(void *unused)
{
    counter = counter + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
