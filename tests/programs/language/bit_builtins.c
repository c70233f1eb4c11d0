// sley: reach=true race=true deadlock=true memory=true overflow=true
// Counting, finding and turning bits.
#include <assert.h>
#include <strings.h>

int main(void)
{
    unsigned x = 0x00f0;
    unsigned long long y = 1ull << 40;
    int z = -5;
    assert(__builtin_popcount(x) == 4 && __builtin_clz(x) == 24 && __builtin_ctz(x) == 4);
    assert(__builtin_ffs(x) == 5 && __builtin_parity(x) == 0 && __builtin_ffs(0) == 0 && ffs(x) == 5);
    assert(__builtin_popcountll(y) == 1 && __builtin_clzll(y) == 23 && __builtin_ctzll(y) == 40);
    assert(__builtin_ffsll(y) == 41 && __builtin_parityll(y) == 1 && __builtin_popcountl(~0ul) == 64);
    assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(x) == 0xf0000000u);
    assert(__builtin_bswap64(y) == 0x10000ull && __builtin_clrsb(z) == 28 && __builtin_clrsb(0) == 31);
    return 0;
}
