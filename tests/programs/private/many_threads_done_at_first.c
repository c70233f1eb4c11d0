// sley: reach=false race=false deadlock=true memory=true overflow=true
// Any number of threads, each with a local whose address an inlined function gets; it is set to the wrong value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int inside;

static void swap_if(atomic_int *place, int old, int new, int *done)
{
    *done = atomic_compare_exchange_strong(place, &old, new);
}

static void *worker(void *unused)
{
    int done = 1;
    while (!done)
        swap_if(&owner, 0, 1, &done);
    inside = 1;
    assert(inside == 1);
    inside = 0;
    atomic_store(&owner, 0);
    return 0;
}

int main(void)
{
    while (1) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
        pthread_detach(thread);
    }
}
