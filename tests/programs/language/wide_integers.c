// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// Integers of 128 bits, and literals of all bases and suffixes.
#include <assert.h>

int main(void)
{
    unsigned __int128 product = (unsigned __int128)0xffffffffffffffffULL * 0xffffffffffffffffULL;
    assert((unsigned long)(product >> 64) == 0xfffffffffffffffeUL && (unsigned long)product == 1);
    __int128 negative = -1;
    assert(negative / 3 == 0 && negative * 2 / 2 == -1 && sizeof negative == 16);
    assert(0b101 == 5 && 017 == 15 && 0x1.8p1 == 3.0 && 10ull == 10 && 1e3f == 1000.0f);
    return 0;
}
