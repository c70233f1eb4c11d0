// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two readers and a writer, each once: the plain use of a read-write lock.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&l);
    assert(x == y);
    pthread_rwlock_unlock(&l);
    return 0;
}

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&l);
    x++;
    y++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t one, other, third;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&other, 0, reader, 0);
    pthread_create(&third, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    pthread_join(third, 0);
    pthread_rwlock_destroy(&l);
    return 0;
}
