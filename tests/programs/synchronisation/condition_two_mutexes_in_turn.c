// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// One condition with two mutexes, one after the other: the first wait is over before the second begins.
#include <pthread.h>
#include <time.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *first(void *unused)
{
    struct timespec deadline = {0};
    pthread_mutex_lock(&a);
    pthread_cond_timedwait(&c, &a, &deadline);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t one;
    struct timespec deadline = {0};
    pthread_create(&one, 0, first, 0);
    pthread_join(one, 0);
    pthread_mutex_lock(&b);
    pthread_cond_timedwait(&c, &b, &deadline);
    pthread_mutex_unlock(&b);
    return 0;
}
