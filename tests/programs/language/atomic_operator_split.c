// sley: reach=false race=true deadlock=true memory=true overflow=true
// `counter = counter + 1` on an atomic object is two steps, and loses an update.
#include <assert.h>
#include <pthread.h>

_Atomic int counter;

static void *worker(void *unused)
{
    counter = counter + 1;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, worker, 0);
    pthread_create(&threads[1], 0, worker, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(counter == 2);
    return 0;
}
