// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=false
// Two threads wait for each other until a third one initialises a mutex that one of them holds.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return 0;
}

void *spoiler(void *unused)
{
    pthread_mutex_init(&m, 0);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_create(&other, 0, spoiler, 0);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return 0;
}
