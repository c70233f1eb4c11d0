// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Only a reader holds the lock, but to try to read can fail: a writer may wait.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_rwlock_rdlock(&l);
    pthread_create(&one, 0, writer, 0);
    int error = pthread_rwlock_tryrdlock(&l);
    assert(error == 0);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(one, 0);
    return 0;
}
