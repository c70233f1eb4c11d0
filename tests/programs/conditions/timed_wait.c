// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A timed wait is never a deadlock: it can time out, and the caller must expect that.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec deadline = {1, 0};
    pthread_mutex_lock(&lock);
    int error = pthread_cond_timedwait(&never, &lock, &deadline);
    pthread_mutex_unlock(&lock);
    assert(error != ETIMEDOUT);
    return 0;
}
