// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A semaphore is used after it was closed as often as it was opened.
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *one = sem_open("/gate", O_CREAT, 0600, 1);
    sem_t *other = sem_open("/gate", 0);
    if (one == SEM_FAILED || other == SEM_FAILED)
        return 0;
    sem_close(one);
    sem_wait(other);
    sem_close(other);
    sem_post(other);
    return 0;
}
