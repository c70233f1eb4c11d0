// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A semaphore is used that could not be opened.
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *gate = sem_open("/gate", O_CREAT, 0600, 1);
    sem_wait(gate);
    return 0;
}
