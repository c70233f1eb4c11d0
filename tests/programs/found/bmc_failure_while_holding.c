// sley: reach=false race=true deadlock=true memory=true overflow=true
// An assertion fails while its thread holds a mutex that another thread would take next.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready;

void *producer(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&changed);
    return 0;
}

void *consumer(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (!is_ready)
        pthread_cond_wait(&changed, &mutex);
    assert(is_ready);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
