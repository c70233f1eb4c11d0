// sley: reach=true race=true deadlock=true memory=true overflow=true
// Bits are counted, turned and reversed, and those of a float are looked at through a union.
#include <assert.h>
#include <stdint.h>

union word {
    float f;
    uint32_t u;
    uint8_t bytes[4];
};

static unsigned count(uint32_t x)
{
    unsigned n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint32_t rotate(uint32_t x, unsigned by)
{
    return x << (by & 31) | x >> (-by & 31);
}

static uint8_t reverse(uint8_t b)
{
    b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
    b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
    return (b & 0xaa) >> 1 | (b & 0x55) << 1;
}

int main(void)
{
    union word w = {.f = -2.5f};
    assert(w.u == 0xc0200000u);
    assert(w.bytes[3] == 0xc0);
    w.u &= 0x7fffffff;
    assert(w.f == 2.5f);
    assert(count(0xf0f00001u) == 9);
    assert(rotate(0x80000001u, 4) == 0x18);
    assert(rotate(7, 0) == 7);
    assert(reverse(0x12) == 0x48);
    for (unsigned b = 0; b < 256; b++)
        assert(reverse(reverse((uint8_t)b)) == b);
    return 0;
}
