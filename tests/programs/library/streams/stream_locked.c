// sley: unmodelled=true
// The lock of a stream.
#include <stdio.h>

int main(void)
{
    flockfile(stdout);
    funlockfile(stdout);
    return 0;
}
