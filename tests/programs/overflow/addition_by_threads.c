// sley: reach=true race=true deadlock=true memory=true overflow=false
// Either thread alone stays in range; the second of both overflows.
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total = INT_MAX - 3;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
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
    return 0;
}
