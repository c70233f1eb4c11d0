// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// What `atoi` returns of a number that no `int` holds is undefined (C11 7.22.1p1).
#include <stdlib.h>

int main(void)
{
    return atoi("99999999999") == 0;
}
