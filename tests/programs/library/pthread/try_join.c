// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A join that does not wait either finds the thread running or joins it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int value;

void *worker(void *unused)
{
    value = 1;
    return &value;
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    void *result = 0;
    pthread_create(&thread, 0, worker, 0);
    int error = pthread_tryjoin_np(thread, &result);
    if (error == EBUSY)
        error = pthread_timedjoin_np(thread, &result, &deadline);
    if (error == ETIMEDOUT)
        error = pthread_join(thread, &result);
    assert(error == 0 && result == &value && value == 1);
    return 0;
}
