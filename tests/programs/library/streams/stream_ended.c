// sley: reach=true race=true deadlock=true memory=true overflow=true
// fread comes short with one of the indicators set, and leaves them alone else (C11 7.21.8.1).
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char bytes[2];
    assert(!feof(stdin) && !ferror(stdin));
    size_t count = fread(bytes, 1, sizeof bytes, stdin);
    assert((count < sizeof bytes) == (feof(stdin) || ferror(stdin)));
    assert(!(feof(stdin) && ferror(stdin)));
    clearerr(stdin);
    assert(!feof(stdin) && !ferror(stdin));
    return 0;
}
