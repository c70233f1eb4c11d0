// sley: reach=false race=true deadlock=true memory=true overflow=true
// A local holds its own address, and from there it gets out.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void **published;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (published)
        *published = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    void *local;
    pthread_create(&thread, 0, worker, 0);
    local = &local;
    pthread_mutex_lock(&mutex);
    published = local;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    assert(local == &local);
}
