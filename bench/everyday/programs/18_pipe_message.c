// sley: reach=true race=true deadlock=true memory=true overflow=true
// A short message goes through a pipe, and is read in pieces of any size.
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char text[16];
    size_t got = 0;
    if (pipe(ends) != 0)
        return 1;
    if (write(ends[1], "hello", 5) != 5)
        return 1;
    close(ends[1]);
    while (got < sizeof text) {
        ssize_t n = read(ends[0], text + got, sizeof text - got);
        if (n < 0)
            return 1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    close(ends[0]);
    assert(got == 5);
    assert(memcmp(text, "hello", 5) == 0);
    return 0;
}
