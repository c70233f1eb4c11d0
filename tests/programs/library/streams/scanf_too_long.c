// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A word of four characters needs room for five.
#include <stdio.h>

int main(void)
{
    char word[4];
    scanf("%4s", word);
    return 0;
}
