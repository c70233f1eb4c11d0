// sley: reach=true race=true deadlock=true memory=true overflow=true
// A union reads the bytes of what was stored last as another type (C11 6.5.2.3p3, note 95).
#include <assert.h>

union number {
    float real;
    unsigned bits;
    unsigned char bytes[4];
    struct {
        unsigned short low, high;
    } half;
};

int main(void)
{
    union number number;
    number.real = 1.0f;
    assert(number.bits == 0x3f800000u);
    assert(number.bytes[3] == 0x3f && number.half.high == 0x3f80);
    number.bytes[3] = 0xbf;
    assert(number.real == -1.0f);
    union {
        double real;
        unsigned long long bits;
    } wide = {.bits = 0x4009000000000000ull};
    assert(wide.real == 3.125);
    return 0;
}
