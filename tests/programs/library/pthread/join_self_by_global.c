// sley: reach=false race=true deadlock=false memory=true overflow=true misuse=true
// A thread finds its own id where the first thread has put it, waits for itself, and may be told so.
#include <assert.h>
#include <pthread.h>

static pthread_t id;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_t found = id;
    pthread_mutex_unlock(&m);
    int result = pthread_join(found, 0);
    assert(result == 0);
    return 0;
}

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_create(&id, 0, worker, 0);
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}
