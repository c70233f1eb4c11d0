// sley: reach=true race=false deadlock=true memory=true overflow=true
// A cache counts its misses while it is locked for reading only.
#include <pthread.h>

enum { SIZE = 4 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int keys[SIZE] = {1, 2, 3, 4};
static unsigned misses;

static int contains(int key)
{
    int found = 0;
    pthread_rwlock_rdlock(&lock);
    for (int i = 0; i < SIZE; i++)
        found |= keys[i] == key;
    if (!found)
        misses++;
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *lookup(void *arg)
{
    contains(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int wanted[2] = {7, 8};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, lookup, &wanted[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
