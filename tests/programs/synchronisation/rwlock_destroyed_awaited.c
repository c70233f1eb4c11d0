// sley: reach=true race=true memory=true overflow=true misuse=false
// The reader destroys the lock after it has released it, but a writer may wait for it.
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
    pthread_create(&one, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
