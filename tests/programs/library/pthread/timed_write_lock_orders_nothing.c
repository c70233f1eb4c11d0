// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// A write lock that comes too late orders nothing: its thread may have waited before the other one wrote.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data;

void *worker(void *unused)
{
    data = 1;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct timespec deadline = {1, 0};
    pthread_create(&thread, 0, worker, 0);
    if (pthread_rwlock_timedwrlock(&lock, &deadline))
        data = 2;
    else
        pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
