// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A negative precision is as if it were not there (C11 7.21.6.1p5): the string needs an end.
#include <stdio.h>

int main(void)
{
    char name[3] = {'a', 'b', 'c'};
    printf("%.*s\n", -1, name);
    return 0;
}
