// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The text is made from the buffer that it is written to: undefined (C11 7.21.6.6p2).
#include <stdio.h>

int main(void)
{
    char name[8] = "ab";
    sprintf(name, "%s!", name);
    return 0;
}
