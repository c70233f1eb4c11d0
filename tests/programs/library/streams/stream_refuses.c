// sley: reach=true race=true deadlock=true memory=true overflow=true
// What is open for reading only cannot be written to, nor the other way round (POSIX fputc, EBADF).
#include <assert.h>
#include <stdio.h>

int main(void)
{
    FILE *in = fopen("in", "r"), *out = fopen("out", "w");
    if (in)
        assert(fputs("text", in) == EOF && ferror(in));
    if (out)
        assert(getc(out) == EOF && !feof(out) && ferror(out));
    return 0;
}
