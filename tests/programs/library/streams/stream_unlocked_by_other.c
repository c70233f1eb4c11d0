// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Only the owner unlocks a stream (POSIX funlockfile).
#include <stdio.h>

int main(void)
{
    flockfile(stderr);
    funlockfile(stdout);
    return 0;
}
