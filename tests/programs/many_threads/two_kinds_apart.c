// sley: reach=false race=true deadlock=true memory=true overflow=true
// The two kinds of threads have different locks, and all of one are there before the first of the others.
#include <assert.h>
#include <pthread.h>

#define N 10000

static int value;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, turn_of_others = PTHREAD_MUTEX_INITIALIZER,
                       each = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ones[N], others[N];

static void change(pthread_mutex_t *during)
{
    pthread_mutex_lock(during);
    pthread_mutex_lock(&each);
    value++;
    pthread_mutex_unlock(&each);
    pthread_mutex_lock(&each);
    value--;
    pthread_mutex_unlock(&each);
    pthread_mutex_lock(&each);
    assert(value == 0);
    pthread_mutex_unlock(&each);
    pthread_mutex_unlock(during);
}

static void *one(void *unused)
{
    change(&turn);
    return NULL;
}

static void *other(void *unused)
{
    change(&turn_of_others);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_create(&ones[i], NULL, one, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&others[i], NULL, other, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(ones[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_join(others[i], NULL);
    return 0;
}
