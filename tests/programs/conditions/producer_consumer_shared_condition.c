// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// One condition for two purposes: a signal meant for the producer wakes up a consumer.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_full;

void *consumer(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!is_full)
        pthread_cond_wait(&changed, &lock);
    is_full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (is_full)
            pthread_cond_wait(&changed, &lock);
        is_full = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
