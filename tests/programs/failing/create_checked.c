// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true args="--create-may-fail"
// A program that does the work itself where there is no other thread to do it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

int done;

void *worker(void *unused)
{
    done = 1;
    return 0;
}

int other(void *unused)
{
    done = 2;
    return 0;
}

int main(void)
{
    pthread_t t;
    int failed = pthread_create(&t, 0, worker, 0);
    assert(failed == 0 || failed == EAGAIN);
    if (failed)
        worker(0);
    else
        pthread_join(t, 0);
    assert(done == 1);
    thrd_t o;
    if (thrd_create(&o, other, 0) == thrd_success) {
        thrd_join(o, 0);
        assert(done == 2);
    }
    return 0;
}
