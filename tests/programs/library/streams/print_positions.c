// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The positions in a format say which argument is the string (POSIX): here it is the one without an end.
#include <stdio.h>

int main(void)
{
    char name[2] = {'a', 'b'};
    printf("%2$s %1$d\n", 1, name);
    return 0;
}
