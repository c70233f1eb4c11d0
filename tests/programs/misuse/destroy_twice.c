// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex is destroyed twice.
#include <pthread.h>

pthread_mutex_t mutex;

int main(void)
{
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_destroy(&mutex);
    pthread_mutex_destroy(&mutex);
    return 0;
}
