// sley: reach=true race=true deadlock=false memory=true overflow=true
// Two threads wait for each other for ever while a third one keeps running.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
atomic_bool light;

void *blinker(void *unused)
{
    while (1)
        light = !light;
    return 0;
}

void *worker(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, blinker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
