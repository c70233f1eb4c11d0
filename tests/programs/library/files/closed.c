// sley: reach=true race=true deadlock=true memory=true overflow=true
// What is closed is no descriptor: everything fails with EBADF, and reads nothing.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char byte = 'x';
    int fd = open("a", O_RDWR);
    if (fd < 0) {
        assert(errno != 0);
        return 1;
    }
    close(fd);
    assert(close(fd) == -1 && errno == EBADF);
    assert(read(fd, &byte, 1) == -1 && errno == EBADF);
    assert(byte == 'x');
    assert(write(fd, &byte, 1) == -1 && lseek(fd, 0, SEEK_SET) == -1 && dup(fd) == -1);
    assert(isatty(fd) == 0 && errno == EBADF);
    return 0;
}
