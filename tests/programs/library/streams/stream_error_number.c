// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Who fails says why (POSIX fopen, fclose, remove): errno is not zero.
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void)
{
    errno = 0;
    FILE *in = fopen("in", "r");
    if (!in) {
        assert(errno != 0);
        return 1;
    }
    errno = 0;
    if (fclose(in) == EOF)
        assert(errno != 0);
    errno = 0;
    if (remove("in") != 0)
        assert(errno != 0);
    return 0;
}
