// sley: reach=false race=true deadlock=true memory=true overflow=true
// One thread closes a descriptor that another one still reads from, which fails then.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;

static void *closer(void *unused)
{
    close(fd);
    return 0;
}

int main(void)
{
    pthread_t thread;
    char byte;
    fd = open("a", O_RDONLY);
    if (fd < 0)
        return 1;
    pthread_create(&thread, 0, closer, 0);
    if (read(fd, &byte, 1) < 0)
        assert(errno != EBADF || fd < 0);
    pthread_join(thread, 0);
    return 0;
}
