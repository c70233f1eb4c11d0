// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The number itself is given where its address belongs.
#include <stdio.h>

int main(void)
{
    int number = 0;
    scanf("%d", number);
    return 0;
}
