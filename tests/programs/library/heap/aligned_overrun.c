// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// An aligned block is no larger than it was asked for.
#include <stdlib.h>

int main(void)
{
    int *block;
    if (posix_memalign((void **)&block, 64, 4 * sizeof *block))
        return 1;
    block[4] = 1;
    free(block);
    return 0;
}
