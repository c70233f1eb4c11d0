// sley: reach=true race=true deadlock=true memory=true overflow=true
// The exponent of a long double is larger than that of a double: what overflows there is finite here.
#include <assert.h>

static long double product(double a, double b)
{
    return (long double)a * b;
}

int main(void)
{
    volatile double huge = 1e200;
    long double both = product(huge, huge);
    assert(both / 1e200L / 1e200L > 0.5L);
    assert(both < 1e401L);
    assert(huge * huge > 1.7e308);
    long double cell[2] = {0.1L, 0.1};
    assert(cell[0] != cell[1]);
    return 0;
}
