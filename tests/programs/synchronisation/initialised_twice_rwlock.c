// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A read-write lock is initialised twice without being destroyed in between.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t object;

int main(void)
{
    pthread_rwlock_init(&object, 0);
    pthread_rwlock_init(&object, 0);
    return 0;
}
