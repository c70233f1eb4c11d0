// sley: reach=false race=true deadlock=true memory=true overflow=true
// A local variable whose address another thread has is shared.
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
    assert(mine == 0);
    pthread_join(thread, 0);
    return 0;
}
