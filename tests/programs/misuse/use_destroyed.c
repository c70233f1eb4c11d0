// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex is locked after it has been destroyed.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_destroy(&lock);
    pthread_mutex_lock(&lock);
    return 0;
}
