// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The second number has nowhere to go (C11 7.21.6.2p2).
#include <stdio.h>

int main(void)
{
    int number;
    scanf("%d %d", &number);
    return 0;
}
