// sley: reach=true race=true deadlock=true memory=true overflow=true
// What compilers know about floating-point numbers: infinities, not-a-number, zeros with a sign.
#include <assert.h>

static double quotient(double a, double b) { return a / b; }

int main(void)
{
    double nan = quotient(0.0, 0.0), infinite = quotient(-1.0, 0.0), one = 1.0;
    float zero = -0.0f;
    assert(__builtin_isnan(nan) && !__builtin_isnan(one) && !__builtin_isnan(infinite));
    assert(__builtin_isinf(infinite) && __builtin_isinf_sign(infinite) == -1 && !__builtin_isinf(nan));
    assert(__builtin_isfinite(one) && !__builtin_isfinite(nan) && !__builtin_isfinite(infinite));
    assert(__builtin_fabs(infinite) == __builtin_inf() && 1.0f / __builtin_fabsf(zero) > 0);
    assert(__builtin_isless(infinite, one) && !__builtin_isgreater(nan, one) && __builtin_isunordered(one, nan));
    assert(__builtin_islessgreater(one, infinite) && !__builtin_islessgreater(one, nan));
    return 0;
}
