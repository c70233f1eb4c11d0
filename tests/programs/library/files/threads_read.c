// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads have a file each, and never the same descriptor.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *reader(void *result)
{
    char byte;
    int fd = open("a", O_RDONLY);
    *(int *)result = fd;
    if (fd >= 0 && read(fd, &byte, 1) == 1)
        write(STDOUT_FILENO, &byte, 1);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    int first, second;
    pthread_create(&one, 0, reader, &first);
    pthread_create(&other, 0, reader, &second);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(first < 0 || second < 0 || first != second);
    return 0;
}
