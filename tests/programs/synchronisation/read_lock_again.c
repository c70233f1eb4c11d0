// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A reader reads again while a writer waits: POSIX lets the lock make it wait for the writer, who waits for it.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

int size(void)
{
    pthread_rwlock_rdlock(&l);
    int found = x;
    pthread_rwlock_unlock(&l);
    return found;
}

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    int found = size();
    pthread_rwlock_unlock(&l);
    pthread_join(one, 0);
    return found > 1;
}
