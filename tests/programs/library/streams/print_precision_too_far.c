// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The precision allows one character more than the array has.
#include <stdio.h>

int main(void)
{
    char name[3] = {'a', 'b', 'c'};
    int most = 4;
    printf("%.*s\n", most, name);
    return 0;
}
