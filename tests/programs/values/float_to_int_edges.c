// sley: reach=true race=true deadlock=true memory=true overflow=true
// The fraction is cut off first: these conversions all fit.
#include <assert.h>

int main(void)
{
    volatile double top = 2147483647.9, bottom = -2147483648.9, less = -0.9, byte = 255.9, low = -128.5;
    int a = (int)top, b = (int)bottom;
    unsigned c = (unsigned)less;
    unsigned char d = byte;
    signed char e = low;
    volatile float large = 9.2e18f;
    long f = large;
    assert(a == 2147483647 && b == -2147483647 - 1 && c == 0 && d == 255 && e == -128 && f > 0);
    return 0;
}
