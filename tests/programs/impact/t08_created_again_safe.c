// sley: reach=true race=true deadlock=true memory=true overflow=true
// The second thread starts where the first one ended, after a reset.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *worker(void *unused)
{
    assert(x == 0);
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    x = 0;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
