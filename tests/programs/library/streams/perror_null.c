// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// perror without a text prints only the message (C11 7.21.10.4p2).
#include <stdio.h>

int main(void)
{
    perror(0);
    perror("");
    return 0;
}
