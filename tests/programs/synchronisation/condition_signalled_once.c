// sley: reach=true race=true memory=true overflow=true misuse=false
// One signal wakes one of two waiters: the other may be blocked on the condition when it is destroyed.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t happened = PTHREAD_COND_INITIALIZER;
int is_over;

void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    while (!is_over)
        pthread_cond_wait(&happened, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, waiter, 0);
    pthread_create(&other, 0, waiter, 0);
    pthread_mutex_lock(&m);
    is_over = 1;
    pthread_cond_signal(&happened);
    pthread_cond_destroy(&happened);
    pthread_mutex_unlock(&m);
    return 0;
}
