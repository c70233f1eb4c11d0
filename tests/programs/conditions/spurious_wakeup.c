// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// `if` instead of `while` around the wait: only a spurious wake-up shows the bug.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready;

void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!is_ready)
        pthread_cond_wait(&changed, &lock);
    assert(is_ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
