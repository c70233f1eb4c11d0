// sley: reach=true race=true deadlock=true memory=true overflow=true
// A read-write lock beside a relaxed flag: readers see what the writers did, and the other way round.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int flag;
static int data;

static void *writer(void *argument)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    pthread_rwlock_wrlock(&lock);
    data = data + 1;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    atomic_load_explicit(&flag, memory_order_relaxed);
    pthread_rwlock_rdlock(&lock);
    int found = data;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    data = found;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
