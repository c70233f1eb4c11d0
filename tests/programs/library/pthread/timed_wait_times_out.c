// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A wait can time out although it was woken up: only the predicate tells, not the result.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int is_ready;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    if (!is_ready && pthread_cond_timedwait(&condition, &mutex, &deadline) == ETIMEDOUT)
        assert(!is_ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
