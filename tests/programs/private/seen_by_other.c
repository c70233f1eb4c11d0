// sley: reach=false race=false deadlock=true memory=true overflow=true
// A local whose address another thread gets is not private.
#include <assert.h>
#include <pthread.h>

static void set(int *place, int value) { *place = value; }

static void *worker(void *place)
{
    set(place, 2);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int local;
    set(&local, 1);
    pthread_create(&thread, 0, worker, &local);
    assert(local == 1);
    pthread_join(thread, 0);
}
