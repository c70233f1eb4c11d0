// sley: reach=true race=true deadlock=true memory=true overflow=true
// Unsigned arithmetic wraps around, which is no overflow.
#include <assert.h>
#include <limits.h>

int main(void)
{
    unsigned number = UINT_MAX;
    number++;
    assert(number == 0);
    number--;
    assert(number == 4294967295u);
    assert(number * number == 1);
    unsigned long long wide = 0;
    assert(wide - 1 == 18446744073709551615ULL);
    assert(-1 + 1u == 0);
    assert((1u << 31) + (1u << 31) == 0);
    return 0;
}
