// sley: reach=true race=true deadlock=true memory=true overflow=true
// A checksum over 100,000 numbers of a generator.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint32_t state = 1, low = 1, high = 0;
    unsigned odd = 0;
    for (int i = 0; i < 100000; i++) {
        state = state * 1664525u + 1013904223u;
        odd += state >> 31;
        low = (low + (state & 0xff)) % 65521;
        high = (high + low) % 65521;
    }
    assert(low < 65521 && high < 65521);
    assert(odd <= 100000);
    printf("%08x\n", (unsigned)(high << 16 | low));
    return 0;
}
