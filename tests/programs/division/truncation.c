// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// Division truncates towards zero, the remainder has the sign of the dividend.
#include <assert.h>

int main(void)
{
    int seven = 7, two = 2;
    assert(seven / two == 3 && seven % two == 1);
    assert(-seven / two == -3 && -seven % two == -1);
    assert(seven / -two == -3 && seven % -two == 1);
    unsigned big = 4294967289u;
    assert(big / 2 == 2147483644u && big % 2 == 1);
    return 0;
}
