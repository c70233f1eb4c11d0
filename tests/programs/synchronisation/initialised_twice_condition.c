// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A condition variable is initialised twice without being destroyed in between.
#include <pthread.h>
#include <semaphore.h>

pthread_cond_t object;

int main(void)
{
    pthread_cond_init(&object, 0);
    pthread_cond_init(&object, 0);
    return 0;
}
