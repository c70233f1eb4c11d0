// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A reader reads again, other readers too, but nobody ever writes: no lock makes a reader wait for readers.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    int found = x;
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return found ? unused : 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, reader, 0);
    reader(0);
    pthread_join(one, 0);
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}
