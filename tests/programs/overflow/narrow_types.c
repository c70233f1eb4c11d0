// sley: reach=true race=true deadlock=true memory=true overflow=true
// Narrow types are computed as int and cut on assignment: a conversion, not an overflow.
#include <assert.h>

int main(void)
{
    short small = 32767;
    small++;
    assert(small == -32768);
    unsigned char byte = 250;
    byte += 10;
    assert(byte == 4);
    signed char sign = 127;
    sign = sign + 1;
    assert(sign == -128);
    unsigned char a = 200, b = 100;
    assert(a + b == 300);
    unsigned short wide = 65535;
    assert(wide + 1 == 65536);
    return 0;
}
