// sley: reach=true race=true deadlock=true memory=true overflow=true
// Zeroes with a sign, infinities, and numbers that are none.
#include <assert.h>
#include <float.h>
#include <math.h>

static const char *kind(double x)
{
    switch (fpclassify(x)) {
    case FP_NAN: return "nan";
    case FP_INFINITE: return "infinite";
    case FP_ZERO: return signbit(x) ? "-0" : "0";
    case FP_SUBNORMAL: return "tiny";
    default: return "number";
    }
}

int main(void)
{
    volatile double zero = 0.0;
    assert(kind(zero)[0] == '0');
    assert(kind(-zero)[0] == '-');
    assert(kind(1.0 / zero)[0] == 'i');
    assert(kind(zero / zero)[1] == 'a');
    assert(kind(DBL_MIN / 2)[0] == 't');
    assert(kind(2.5)[2] == 'm');
    assert(isnormal(DBL_MIN) && !isnormal(DBL_MIN / 2));
    assert(copysign(3.0, -zero) == -3.0);
    return 0;
}
