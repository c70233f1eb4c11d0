// sley: reach=false race=true deadlock=true memory=true overflow=true
// Sixty-four bits are not enough for this sum either.
#include <assert.h>

int main(void)
{
    volatile long double one = 1.0L, small = 1.0L / 18446744073709551616.0L;
    long double sum = one + small;
    assert(sum > one);
    return 0;
}
