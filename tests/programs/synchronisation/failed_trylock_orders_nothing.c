// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// That a trylock fails says that the other thread has the mutex, but does not make its earlier write visible.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *writer(void *unused)
{
    data = 1;
    pthread_mutex_lock(&m);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, writer, 0);
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    else
        data = 2;
    return 0;
}
