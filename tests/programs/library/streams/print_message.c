// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Messages of the library can be printed, whatever they say.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    fprintf(stderr, "%s: %s\n", "open", strerror(errno));
    puts(strerror(ENOENT));
    return 0;
}
