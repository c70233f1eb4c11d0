// sley: reach=true race=true deadlock=true memory=true overflow=true
// As t01_local_by_pointer, with an assertion that holds.
#include <assert.h>
#include <pthread.h>

void *worker(void *place)
{
    *(_Atomic int *)place = 1;
    return 0;
}

int main(void)
{
    _Atomic int mine = 0;
    pthread_t thread;
    pthread_create(&thread, 0, worker, (void *)&mine);
    assert(mine <= 1);
    pthread_join(thread, 0);
    return 0;
}
