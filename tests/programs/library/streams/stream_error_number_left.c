// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Printing may fail, too, and sets errno then (POSIX fputc).
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void)
{
    errno = 0;
    printf("number %d\n", 1);
    assert(errno == 0);
    return 0;
}
