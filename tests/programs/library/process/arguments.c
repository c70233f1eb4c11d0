// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true args="--argc-may-be-zero"
// There may be no arguments (C11 5.1.2.2.1p2), but each that is there is a string.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int workers = argc > 1 ? atoi(argv[1]) : 2;
    assert(argc >= 0);
    if (argc > 0)
        printf("%s: %d\n", argv[0], workers);
    if (argc > 2 && argv[2][0] == '-')
        puts(argv[2]);
    return 0;
}
