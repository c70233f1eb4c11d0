// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Who takes mutexes in opposite orders but waits only until a deadline is not stuck.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    struct timespec deadline = {1, 0};
    pthread_mutex_lock(&right);
    int error = pthread_mutex_timedlock(&left, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    pthread_join(thread, 0);
    return 0;
}
