// sley: reach=true race=true deadlock=true memory=true overflow=true
// Shifts in range: unsigned into the top bit, signed below it, and right shifts of negative values.
#include <assert.h>

int main(void)
{
    int places = 31;
    assert(1u << places == 0x80000000u);
    assert(1 << (places - 1) == 1073741824);
    int negative = -8;
    assert(negative >> 1 == -4);
    assert(0xf0u >> 4 == 15);
    assert(1ULL << 40 == 1099511627776ULL);
    return 0;
}
