// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A semaphore is initialised twice without being destroyed in between.
#include <pthread.h>
#include <semaphore.h>

sem_t object;

int main(void)
{
    sem_init(&object, 0, 1);
    sem_init(&object, 0, 1);
    return 0;
}
