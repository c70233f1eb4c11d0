// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// To try to read succeeds if there are only readers.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused)
{
    int error = pthread_rwlock_tryrdlock(&l);
    assert(error == 0);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, reader, 0);
    reader(0);
    pthread_join(one, 0);
    return 0;
}
