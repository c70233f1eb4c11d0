// sley: reach=false race=true deadlock=false memory=true overflow=true misuse=true
// Who holds a lock for writing and wants to read is told so, or waits for ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_wrlock(&lock);
    assert(pthread_rwlock_rdlock(&lock) != EDEADLK);
    return 0;
}
