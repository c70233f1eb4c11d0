// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A read-write lock is released while another thread holds it for writing.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_create(&thread, 0, writer, 0);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
