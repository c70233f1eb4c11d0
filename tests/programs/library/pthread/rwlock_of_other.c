// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread may release a read lock that only the other one holds.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *unused)
{
    if (pthread_rwlock_tryrdlock(&lock))
        return 0;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
