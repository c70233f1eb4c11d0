// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A float is no int, although it has room there (C11 7.21.6.2p10).
#include <stdio.h>

int main(void)
{
    int number = 0;
    scanf("%f", &number);
    return 0;
}
