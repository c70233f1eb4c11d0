// sley: reach=true race=true deadlock=true memory=true overflow=true
// Functions whose digits are not fixed: their special values and their bounds are.
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(sin(0) == 0 && cos(0) == 1 && exp(0) == 1 && log(1) == 0 && acos(1) == 0);
    assert(pow(3, 0) == 1 && pow(1, NAN) == 1 && pow(0, -1) == INFINITY && isnan(pow(-8, 0.5)));
    assert(isnan(sin(INFINITY)) && isnan(log(-1)) && log(0) == -INFINITY && exp(1000) == INFINITY);
    double s = sin(2.5);
    assert(-1 <= s && s <= 1);
    assert(exp(-3.0) <= 1 && log(10) >= 0 && hypot(3, 4) >= 0);
    return 0;
}
