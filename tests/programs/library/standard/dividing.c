// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// Quotient and remainder together.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    div_t small = div(-7, 2);
    assert(small.quot == -3 && small.rem == -1);
    ldiv_t middle = ldiv(7, -2);
    assert(middle.quot == -3 && middle.rem == 1);
    lldiv_t large = lldiv(1LL << 40, 3);
    assert(large.quot * 3 + large.rem == 1LL << 40);
    return 0;
}
