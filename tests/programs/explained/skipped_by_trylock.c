// sley: reach=false race=true deadlock=true memory=true overflow=true
// A worker whose trylock fails skips what main counts on after the join.
// why: `saved` still has its initial value 0 .* worker did not get `lock` in step \d+ \(line 12\)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int saved;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {  // decisive
        saved = 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(saved == 1);
    return 0;
}
