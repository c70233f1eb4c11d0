// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A reader waits for another one, which may have to wait for a writer, which waits for the first.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t done;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&l);
    sem_post(&done);
    pthread_rwlock_unlock(&l);
    return 0;
}

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    sem_init(&done, 0, 0);
    pthread_create(&one, 0, reader, 0);
    pthread_create(&other, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    sem_wait(&done);
    pthread_rwlock_unlock(&l);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
