// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What sscanf finds in a text that the program has made is computed.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number;
    sscanf("17", "%d", &number);
    assert(number == 17);
    return 0;
}
