// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The lock of a stream counts how often its owner has taken it (POSIX flockfile).
#include <stdio.h>

int main(void)
{
    flockfile(stdout);
    flockfile(stdout);
    putchar_unlocked('a');
    funlockfile(stdout);
    funlockfile(stdout);
    return 0;
}
