// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A stream that nobody closes is closed at the end (C11 7.22.4.4p4): it is no memory of the program's.
#include <stdio.h>

static int first_of(const char *path)
{
    FILE *in = fopen(path, "r");
    return in ? getc(in) : EOF;
}

int main(void)
{
    return first_of("in") == 'x';
}
