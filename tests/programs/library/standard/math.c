// sley: reach=true race=true deadlock=true memory=true overflow=true
// Functions on floating-point numbers whose results are fixed.
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(sqrt(16.0) + floor(2.5) == 6.0);
    assert(sqrt(2.0) == 1.4142135623730951 && sqrtf(2.0f) == 1.41421354f);
    assert(floor(-0.5) == -1 && ceil(-0.5) == 0 && trunc(-1.5) == -1 && round(-1.5) == -2 && round(2.5) == 3);
    assert(1 / ceil(-0.5) < 0);
    assert(fmax(1, NAN) == 1 && fmin(NAN, 2) == 2);
    assert(floor(1e300) == 1e300 && ceilf(0.1f) == 1);
    return 0;
}
