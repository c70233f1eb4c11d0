// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A barrier is initialised twice without being destroyed in between.
#include <pthread.h>
#include <semaphore.h>

pthread_barrier_t object;

int main(void)
{
    pthread_barrier_init(&object, 0, 1);
    pthread_barrier_init(&object, 0, 1);
    return 0;
}
