// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A read-write lock is released that nobody holds.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_unlock(&lock);
    return 0;
}
