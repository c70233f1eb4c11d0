// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// One of two formats does not fit the argument.
#include <stdio.h>

int main(void)
{
    int number = 0;
    const char *format = getchar() == 'f' ? "%4f" : "%4d";
    scanf(format, &number);
    return 0;
}
