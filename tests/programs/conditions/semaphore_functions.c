// sley: reach=true race=true deadlock=true memory=true overflow=true
// The functions of <semaphore.h>, and the error number they leave.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

sem_t semaphore;

int main(void)
{
    int value;
    assert(sem_init(&semaphore, 0, 1) == 0);
    assert(sem_wait(&semaphore) == 0);
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    sem_post(&semaphore);
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &value);
    assert(value == 2);
    assert(sem_trywait(&semaphore) == 0);
    sem_destroy(&semaphore);
    return 0;
}
