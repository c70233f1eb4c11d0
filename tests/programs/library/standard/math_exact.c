// sley: reach=true race=true deadlock=true memory=true overflow=true
// More functions whose results are fixed: remainders, exponents, signs, kinds of numbers.
#include <assert.h>
#include <float.h>
#include <math.h>

int main(void)
{
    int exponent;
    double whole;
    assert(fmod(5.5, 2.0) == 1.5 && fmod(-7, 3) == -1 && fmod(1e300, 3.7) == 1.765761626199355);
    assert(fmodf(5.5f, 2) == 1.5f && signbit(fmod(-4, 2)) && isnan(fmod(1, 0)));
    assert(remainder(5, 3) == -1 && remainder(7.5, 2) == -0.5 && remainder(6, 4) == -2);
    assert(rint(2.5) == 2 && rint(-3.5) == -4 && nearbyint(0.5) == 0 && signbit(rint(-0.3)));
    assert(lround(2.5) == 3 && lrint(2.5) == 2 && llround(-2.5) == -3 && floorl(-2.5L) == -3);
    assert(ldexp(3, 4) == 48 && ldexp(1.5, -1075) == ldexp(1, -1074) && ldexp(1, 2000) == INFINITY);
    assert(frexp(48, &exponent) == 0.75 && exponent == 6 && frexp(0, &exponent) == 0 && exponent == 0);
    assert(modf(-3.25, &whole) == -0.25 && whole == -3 && ilogb(10) == 3 && logb(0.25) == -2);
    assert(copysign(3, -0.0) == -3 && !signbit(1.0f) && fdim(3, 5) == 0 && fdim(5, 3) == 2);
    assert(nextafter(1, 2) - 1 == DBL_EPSILON && nextafter(0, 1) > 0 && nextafterf(1, 0) < 1);
    assert(fpclassify(0.0) == FP_ZERO && fpclassify(1e-310) == FP_SUBNORMAL && fpclassify(1e-40f) == FP_SUBNORMAL);
    assert(fpclassify(1e-40) == FP_NORMAL && isnormal(1.0) && !isnormal(0.0) && !isnormal(INFINITY));
    assert(isnan(NAN) && isinf(-INFINITY) && !isfinite(NAN) && isunordered(NAN, 1.0));
    return 0;
}
