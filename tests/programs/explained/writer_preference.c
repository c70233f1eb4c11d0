// sley: reach=true race=true deadlock=false memory=true overflow=true
// A reader asks for the read lock again while a writer waits.
// why: While a writer waits
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries = 1, sum;

static int count_entries(void)
{
    pthread_rwlock_rdlock(&lock);  // decisive
    int result = entries;
    pthread_rwlock_unlock(&lock);
    return result;
}

static void *report(void *unused)
{
    pthread_rwlock_rdlock(&lock);  // decisive
    sum = entries + count_entries();
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *insert(void *unused)
{
    pthread_rwlock_wrlock(&lock);  // decisive
    entries++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, report, NULL);
    pthread_create(&two, NULL, insert, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return sum < 2;
}
