// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The number has no room in an int (C11 7.21.6.2p10).
#include <stdio.h>

int main(void)
{
    int number;
    sscanf("2147483648", "%d", &number);
    return 0;
}
