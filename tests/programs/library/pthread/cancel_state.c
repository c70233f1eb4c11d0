// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Nobody is cancelled here: whether a thread could be is a number of its own.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *unused)
{
    int old;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    return 0;
}

int main(void)
{
    pthread_t thread;
    int old;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(5, &old) == EINVAL);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
