// sley: reach=true race=true memory=true overflow=true misuse=false
// Producer and consumer wait for the same condition, each with a mutex of its own, perhaps at the same time.
#include <pthread.h>
#include <time.h>

pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *producer(void *unused)
{
    struct timespec deadline = {0};
    pthread_mutex_lock(&in);
    pthread_cond_timedwait(&changed, &in, &deadline);
    pthread_mutex_unlock(&in);
    return 0;
}

int main(void)
{
    pthread_t one;
    struct timespec deadline = {0};
    pthread_create(&one, 0, producer, 0);
    pthread_mutex_lock(&out);
    pthread_cond_timedwait(&changed, &out, &deadline);
    pthread_mutex_unlock(&out);
    pthread_join(one, 0);
    return 0;
}
