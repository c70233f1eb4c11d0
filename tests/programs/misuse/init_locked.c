// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex that a thread holds is initialised again.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
