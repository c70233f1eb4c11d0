// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A cleanup handler runs when it is popped with a number other than zero.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;

void unlock(void *m)
{
    pthread_mutex_unlock(m);
}

void fail(void *unused)
{
    assert(0);
}

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cleanup_push(fail, 0);
    count++;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(count == 2);
    return 0;
}
