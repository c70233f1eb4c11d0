// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The format asks for more arguments than there are: undefined (C11 7.21.6.1p2).
#include <stdio.h>

int main(void)
{
    printf("%d of %d\n", 1);
    return 0;
}
