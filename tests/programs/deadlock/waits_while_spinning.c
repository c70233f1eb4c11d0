// sley: reach=true race=true deadlock=true memory=true overflow=true
// Nobody will ever signal, but a running thread might for all that waiting can tell: not a deadlock.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
atomic_bool light;
int is_ready;

void *blinker(void *unused)
{
    while (1)
        light = !light;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, blinker, 0);
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
