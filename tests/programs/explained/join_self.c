// sley: reach=true race=true deadlock=false memory=true overflow=true
// A thread that waits for all threads waits for itself.
// why: waits for itself to end
#include <pthread.h>

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_stopped;

static void stop(void)
{
    pthread_mutex_lock(&lock);
    is_stopped = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);  // decisive
}

static void *watchdog(void *unused)
{
    pthread_mutex_lock(&lock);
    int is_wanted = !is_stopped;
    pthread_mutex_unlock(&lock);
    if (is_wanted)
        stop();
    return NULL;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, watchdog, NULL);
    pthread_mutex_unlock(&lock);
    pthread_exit(NULL);
}
