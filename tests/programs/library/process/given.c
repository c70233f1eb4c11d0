// sley: reach=true race=true deadlock=true memory=true overflow=true args="-- -n 5"
// What a program is started with is known to the last character, ends with null, and can be written (C11 5.1.2.2.1p2).
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc == 3 && argv[argc] == NULL);
    assert(strcmp(argv[1], "-n") == 0);
    assert(atoi(argv[2]) == 5);
    argv[1][1] = 'm';
    argv[2] = argv[1];
    assert(argv[2][0] == '-' && argv[2][1] == 'm' && argv[2][2] == 0);
    return argv[0] == NULL;
}
