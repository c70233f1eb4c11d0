// sley: reach=true race=true deadlock=true memory=true overflow=true
// The check and the addition are under the same lock: the sum never leaves its range.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total = INT_MAX - 3;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    if (total <= INT_MAX - 2)
        total += 2;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(total == INT_MAX - 1);
    return 0;
}
