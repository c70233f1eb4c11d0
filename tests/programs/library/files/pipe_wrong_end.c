// sley: reach=true race=true deadlock=true memory=true overflow=true
// The ends of a pipe are for one thing each, which is seen before any other reason to fail.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return 1;
    assert(write(ends[0], "a", 1) == -1 && errno == EBADF);
    assert(read(ends[1], &byte, 1) == -1 && errno == EBADF);
    close(ends[0]);
    close(ends[1]);
    return 0;
}
