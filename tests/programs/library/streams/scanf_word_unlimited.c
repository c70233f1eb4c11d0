// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A word without a width may be longer than any array.
#include <stdio.h>

int main(void)
{
    char word[4];
    if (scanf("%s", word) != 1)
        return 1;
    return 0;
}
