// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A semaphore that nobody has initialised.
#include <semaphore.h>

sem_t semaphore;

int main(void)
{
    sem_post(&semaphore);
    return 0;
}
