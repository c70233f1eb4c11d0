// sley: reach=false race=false
// A race and a failing assertion come before anybody jumps.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;
int shared;

static void *worker(void *unused)
{
    shared = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(shared == 0);
    if (setjmp(place) != 0)
        return 1;
    pthread_join(thread, 0);
    return 0;
}
