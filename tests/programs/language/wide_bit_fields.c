// sley: reach=true race=true deadlock=true memory=true overflow=true
// Bit-fields wider than `int`, used so that it does not matter which type their values have.
#include <assert.h>

struct parts {
    unsigned long long high : 40;
    long long offset : 36;
    unsigned long long whole : 64;
    unsigned long long low : 20;
};

int main(void)
{
    struct parts parts = { .high = 5, .offset = -7, .low = 9 };
    parts.high++;
    parts.high = parts.high * 2 + 1;
    assert(parts.high == 13 && (parts.high << 4) == 208);
    assert((unsigned long long)parts.high << 40 >> 40 == 13);
    assert(parts.offset / 2 == -3 && parts.offset + 7 == 0);
    assert(parts.low - 10 < 0);
    parts.high = 0;
    parts.high--;
    assert(parts.high == 0xffffffffffULL);
    assert(parts.high + 1ULL == 0x10000000000ULL);
    parts.high &= ~1ULL;
    assert(!(parts.high & 1));
    parts.whole = ~0ULL;
    assert(parts.whole + 1 == 0);
    return 0;
}
