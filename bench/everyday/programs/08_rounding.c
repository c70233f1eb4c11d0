// sley: reach=true race=true deadlock=true memory=true overflow=true
// The ways to round, each where they differ.
#include <assert.h>
#include <math.h>

static void split(double value, long *whole, double *fraction)
{
    double part;
    *fraction = modf(value, &part);
    *whole = (long)part;
}

int main(void)
{
    assert(rint(2.5) == 2.0);
    assert(rint(3.5) == 4.0);
    assert(round(2.5) == 3.0);
    assert(round(-2.5) == -3.0);
    assert(floor(-0.5) == -1.0);
    assert(ceil(-0.5) == 0.0);
    assert(trunc(-7.75) == -7.0);
    assert(lround(7.5) == 8);

    long whole;
    double fraction;
    split(-3.25, &whole, &fraction);
    assert(whole == -3);
    assert(fraction == -0.25);
    assert(fmod(7.5, 2.0) == 1.5);
    return 0;
}
