// sley: reach=false race=true deadlock=true memory=true overflow=true
// The address of a local is in another local, which is known to nobody, and from there it gets out.
#include <assert.h>
#include <pthread.h>

static int *published;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void keep(int **keeper, int *place) { *keeper = place; }

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (published)
        *published = 5;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int local = 1;
    int *keeper;
    pthread_create(&thread, 0, worker, 0);
    keep(&keeper, &local);
    pthread_mutex_lock(&mutex);
    published = keeper;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    assert(local == 1);
}
