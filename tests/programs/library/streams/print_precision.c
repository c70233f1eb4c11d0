// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A precision says how much of a string is read at most, which then needs no end (C11 7.21.6.1p8).
#include <stdio.h>

int main(void)
{
    char name[3] = {'a', 'b', 'c'};
    printf("%.3s|%.*s|%.0s|%-5.2s\n", name, 2, name, name, name);
    fprintf(stderr, "%*.*s\n", 8, 3, name);
    return 0;
}
