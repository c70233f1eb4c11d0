// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// The flag is checked before the mutex is taken: the signal can come in between and is lost.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
atomic_bool is_ready;

void *waiter(void *unused)
{
    if (!is_ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_join(thread, 0);
    return 0;
}
