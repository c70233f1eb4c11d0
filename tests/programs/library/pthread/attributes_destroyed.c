// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex is initialised with attributes that were destroyed.
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_destroy(&attributes);
    pthread_mutex_init(&mutex, &attributes);
    return 0;
}
