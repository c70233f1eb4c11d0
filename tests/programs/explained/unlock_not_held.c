// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The common way out unlocks, also when the trylock failed.
// why: `lock` is held by main since step \d+
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flushed;

static void *flush(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0)  // decisive
        flushed++;
    pthread_mutex_unlock(&lock);  // decisive
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, flush, NULL);
    pthread_mutex_lock(&lock);  // decisive
    flushed++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
