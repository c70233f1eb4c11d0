// sley: reach=true race=true deadlock=true memory=false overflow=true args="--"
// Started with its name only, the program reads an argument that is not there.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    assert(argc == 1);
    return atoi(argv[1]);
}
