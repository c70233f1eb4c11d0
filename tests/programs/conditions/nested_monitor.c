// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A thread waits with an outer mutex still held, which the one that would wake it up needs first.
#include <pthread.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int is_ready;

void *waiter(void *unused)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!is_ready)
        pthread_cond_wait(&changed, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, 0);
    return 0;
}
