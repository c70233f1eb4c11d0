// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A read-write lock is destroyed while it is held for reading.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock);
    return 0;
}
