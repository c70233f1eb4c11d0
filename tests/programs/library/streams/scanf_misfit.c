// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Eight bytes are written into an int (C11 7.21.6.2p10).
#include <stdio.h>

int main(void)
{
    int number = 0;
    scanf("%ld", &number);
    return 0;
}
