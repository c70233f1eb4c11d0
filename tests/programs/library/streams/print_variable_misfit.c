// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A format behind a variable asks for a string, and gets a number.
#include <stdio.h>

static const char *const formats[] = {"%d\n", "%s\n"};

int main(void)
{
    int number = 3;
    for (int i = 0; i < 2; i++)
        printf(formats[i], number);
    return 0;
}
