// sley: reach=true race=true deadlock=false memory=true overflow=true
// A mutex that is a local, locked twice.
#include <pthread.h>

static void twice(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_lock(mutex);
}

int main(void)
{
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, 0);
    twice(&mutex);
}
