// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What is decided of an argument that may be any stays: its characters, its length, its number.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    if (argv[1][0] == '-' && argv[1][1] == 'n')
        assert(strlen(argv[1]) >= 2 && strncmp(argv[1], "-n", 2) == 0 && argv[1][0] != 0);
    int number = atoi(argv[2]);
    assert(atoi(argv[2]) == number);
    return 0;
}
