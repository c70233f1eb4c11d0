// sley: reach=true race=true deadlock=true memory=true overflow=true
// Integer conversions: promotions, mixed signs, truncation, sign extension, _Bool.
#include <assert.h>

int main(void)
{
    assert(-1 > 0u);
    assert((unsigned char)-1 == 255 && (signed char)200 == -56);
    assert((short)70000 == 4464);
    long wide = -1;
    assert((unsigned)wide == 4294967295u && (unsigned long)(int)-2 == 18446744073709551614ul);
    assert((long)4294967295u == 4294967295L);
    _Bool truth = 256;
    assert(truth == 1 && (_Bool)0.5 == 1);
    char letter = 'a' + 1;
    assert(letter == 'b' && sizeof('a') == sizeof(int));
    unsigned char byte = 0x80;
    assert((byte << 1) == 256 && (unsigned char)~byte == 0x7f && ~byte < 0);
    assert((1 ? -1 : 0u) == 4294967295u);
    assert((!5) == 0 && (!!7) == 1 && -(-3) == 3 && ((5 & 6) | (8 ^ 1)) == 13);
    return 0;
}
