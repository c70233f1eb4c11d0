// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex is initialised twice without being destroyed in between.
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t object;

int main(void)
{
    pthread_mutex_init(&object, 0);
    pthread_mutex_init(&object, 0);
    return 0;
}
