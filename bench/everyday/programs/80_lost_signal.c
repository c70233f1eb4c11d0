// sley: reach=true race=true deadlock=false memory=true overflow=true
// A thread waits for a signal without asking whether it was sent already.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int result;

static void *compute(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    result = 42;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock);
    int copy = result;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return copy == 42 ? 0 : 1;
}
