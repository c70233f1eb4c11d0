// sley: reach=true race=true deadlock=true memory=true overflow=true
// Readers share a cache, and a writer has it for itself.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int price = 100, tax = 20;

static void *reader(void *arg)
{
    (void)arg;
    if (pthread_rwlock_rdlock(&lock) != 0)
        return NULL;
    assert(price == 5 * tax);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    if (pthread_rwlock_wrlock(&lock) != 0)
        return NULL;
    price += 50;
    tax = price / 5;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
