// sley: reach=true race=false deadlock=true memory=true overflow=true
// A refresh that should be skipped when the cache is busy goes on after the failed trylock.
// why: refresh #\d goes on although its pthread_mutex_trylock failed
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static int generation;

static void *refresh(void *unused)
{
    int busy = pthread_mutex_trylock(&cache_lock);  // decisive
    if (busy)
        puts("cache is busy");
    generation++;  // decisive
    if (!busy)
        pthread_mutex_unlock(&cache_lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, refresh, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
