// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// To wait for a condition one must hold the mutex.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_wait(&changed, &lock);
    return 0;
}
