// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// The number in an argument may be any, up to its end.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *end;
    if (argc < 2)
        return 1;
    long number = strtol(argv[1], &end, 10);
    if (*end)
        return 2;
    assert(number != 1000003);
    return 0;
}
