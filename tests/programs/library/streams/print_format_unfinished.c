// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A format without an end is read beyond its array.
#include <stdio.h>

int main(void)
{
    char format[2] = {'o', 'k'};
    printf(format);
    return 0;
}
