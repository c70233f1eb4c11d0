// sley: reach=true race=true deadlock=false memory=true overflow=true
// A shutdown holds the mutex that the worker needs to come to its end.
// why: worker waits for `lock` .* which main holds since step \d+ .* main waits for worker to end
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stops, done;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);  // decisive
    if (!stops)
        done++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void shut_down(pthread_t thread)
{
    pthread_mutex_lock(&lock);  // decisive
    stops = 1;
    pthread_join(thread, NULL);  // decisive
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    shut_down(thread);
    return 0;
}
