// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// read returns how many bytes it has written, or -1.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char bytes[3] = {1, 2, 3};
    int file = open("name", O_RDONLY);
    if (file < 0)
        return 1;
    ssize_t count = read(file, bytes, 2);
    assert(-1 <= count && count <= 2);
    assert(bytes[2] == 3);
    if (count < 2)
        assert(bytes[1] == 2);
    close(file);
    return 0;
}
