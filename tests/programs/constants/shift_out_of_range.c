// sley: reach=true race=true deadlock=true memory=true overflow=false
// What is shifted by constants or variables out of range: both alike, whatever it gives.
#include <assert.h>

int main(void)
{
    int width = 32, less = -1;
    int one = 1 << 32, other = 1 << width;
    assert(one == other);
    one = 1 << -1;
    other = 1 << less;
    assert(one == other);
    one = -8 >> 40;
    width = 40;
    other = -8 >> width;
    assert(one == other);
    unsigned all = ~0u >> 32, some = ~0u;
    width = 32;
    some >>= width;
    assert(all == some);
    return 0;
}
