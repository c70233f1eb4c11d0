// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A name in a buffer that is used for another name later.
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

static sem_t *make(char letter)
{
    char name[3] = "/a";
    name[1] = letter;
    return sem_open(name, O_CREAT | O_EXCL, 0600, 1);
}

int main(void)
{
    sem_t *one = make('a'), *other = make('b');
    assert(one == SEM_FAILED || one != other);
    if (one != SEM_FAILED && other != SEM_FAILED)
        assert(sem_open("/a", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    return 0;
}
