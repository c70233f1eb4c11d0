// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A semaphore is destroyed twice.
#include <semaphore.h>

sem_t semaphore;

int main(void)
{
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    sem_destroy(&semaphore);
    return 0;
}
