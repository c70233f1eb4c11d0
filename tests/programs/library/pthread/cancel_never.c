// sley: reach=false
// What has no model does not hide a bug on another way.
#include <assert.h>
#include <pthread.h>

_Atomic int count;

void *worker(void *unused)
{
    count = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (count == 1)
        assert(0);
    pthread_cancel(thread);
    return 0;
}
