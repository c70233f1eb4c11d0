// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex is released that nobody holds.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_unlock(&lock);
    return 0;
}
