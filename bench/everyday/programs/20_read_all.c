// sley: reach=true race=true deadlock=true memory=true overflow=true
// A header of fixed size is read whole, however the kernel cuts it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static ssize_t read_all(int fd, void *buffer, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = read(fd, (char *)buffer + got, size - got);
        if (n < 0) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

int main(void)
{
    unsigned char header[8];
    int fd = open("/tmp/image.bin", O_RDONLY);
    if (fd == -1)
        return 1;
    ssize_t n = read_all(fd, header, sizeof header);
    close(fd);
    if (n != sizeof header)
        return 1;
    unsigned length = header[0] | header[1] << 8;
    assert(length <= 0xffff);
    return 0;
}
