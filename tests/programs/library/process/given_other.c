// sley: reach=false race=true deadlock=true memory=true overflow=true args="-- 4"
// The program is started with another number than it expects.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int workers = argc > 1 ? atoi(argv[1]) : 5;
    assert(workers == 5);
    return 0;
}
