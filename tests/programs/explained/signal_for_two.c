// sley: reach=true race=true deadlock=false memory=true overflow=true
// Two threads wait for the start, and one signal wakes only one of them.
// why: signals `started` .* wakes only
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static int is_started;

static void *runner(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!is_started)
        pthread_cond_wait(&started, &lock);  // decisive
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, runner, NULL);
    pthread_mutex_lock(&lock);
    is_started = 1;
    pthread_cond_signal(&started);  // decisive
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
