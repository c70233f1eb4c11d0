// sley: reach=true race=false deadlock=true memory=true overflow=true
// Readers of a table hold its read lock, and one of them counts the hits while it reads.
// why: lookup #1 holds `table_lock` for reading only, and so does lookup #2
#include <pthread.h>

static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[4] = {3, 1, 4, 1};
static unsigned hits;

static void *lookup(void *key)
{
    pthread_rwlock_rdlock(&table_lock);  // decisive
    if (table[(long)key] != 0)
        hits++;  // decisive
    pthread_rwlock_unlock(&table_lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, lookup, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
