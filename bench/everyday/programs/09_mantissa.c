// sley: reach=true race=true deadlock=true memory=true overflow=true
// A number is taken apart with frexp, and put together again with ldexp.
#include <assert.h>
#include <math.h>

static int exponent_of(double value)
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    assert(value == 0 || (fabs(mantissa) >= 0.5 && fabs(mantissa) < 1.0));
    assert(ldexp(mantissa, exponent) == value);
    return exponent;
}

int main(void)
{
    assert(exponent_of(8.0) == 4);
    assert(exponent_of(0.375) == -1);
    assert(exponent_of(-1.0) == 1);
    assert(exponent_of(0.0) == 0);
    return 0;
}
