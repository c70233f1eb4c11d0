// sley: reach=true race=true deadlock=true memory=true overflow=true progress=false
// The character is read once: if it is the wrong one, the loop has no end.
#include <stdio.h>

_Atomic int turns;

int main(void)
{
    int c = getchar();
    while (c != 'q')
        turns = !turns;
    return 0;
}
