// sley: reach=false race=true deadlock=true memory=true overflow=true args="--create-may-fail"
// The result is relied on, though the thread may not have been started.
#include <assert.h>
#include <pthread.h>

int done;

void *worker(void *unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    if (pthread_create(&t, 0, worker, 0) == 0)
        pthread_join(t, 0);
    assert(done == 1);
    return 0;
}
