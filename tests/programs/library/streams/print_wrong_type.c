// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// An argument has another type than the format says: undefined (C11 7.21.6.1p9).
#include <stdio.h>

int main(void)
{
    long number = 1;
    printf("%d\n", number);
    return 0;
}
