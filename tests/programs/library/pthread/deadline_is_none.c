// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A wait whose deadline is none fails, and neither in time nor too late.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec deadline = {1, 1000000000};
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_timedwait(&condition, &mutex, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return 0;
}
