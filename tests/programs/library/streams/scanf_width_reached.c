// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A field of three characters may be a sign and two digits.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number;
    if (scanf("%3d", &number) == 1)
        assert(number != -99);
    return 0;
}
