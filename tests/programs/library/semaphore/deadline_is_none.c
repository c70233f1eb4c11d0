// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A wait whose deadline is none is no wait that ended too late.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t semaphore;
    struct timespec deadline = {1, -7};
    sem_init(&semaphore, 0, 0);
    if (sem_timedwait(&semaphore, &deadline) == -1)
        assert(errno == ETIMEDOUT);
    return 0;
}
