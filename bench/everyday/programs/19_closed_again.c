// sley: reach=false race=true deadlock=true memory=true overflow=true
// The clean-up closes a descriptor that the reader has closed already, and insists that it works.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

static int read_byte(int fd)
{
    unsigned char byte;
    ssize_t n = read(fd, &byte, 1);
    if (n != 1) {
        close(fd);
        return -1;
    }
    return byte;
}

int main(void)
{
    int fd = open("/dev/null", O_RDONLY);
    if (fd < 0)
        return 1;
    int byte = read_byte(fd);
    int failed = close(fd);
    if (byte < 0)
        assert(!failed);
    return 0;
}
