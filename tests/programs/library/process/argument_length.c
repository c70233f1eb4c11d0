// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A number of seven digits has as many characters at least.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) == -1000003)
        assert(strlen(argv[1]) >= 8);
    return 0;
}
