// Rounding to whole numbers, as IEEE 754 fixes it, in the rounding mode that programs begin with (to nearest).
#include "sley.h"

#define EXACT 4503599627370496.0              // from here on, every double is an integer
#define MOST_EXTENDED 9223372036854775808.0L  // the same of the extended format, which has 64 digits

double trunc(double x)
{
    if (!(-EXACT < x && x < EXACT) || x == 0)
        return x;                              // also infinities and what is no number
    double whole = (double)(long long)x;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double floor(double x)
{
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);
    if (!(whole < x))
        return whole;
    return whole == -1 ? -0.0 : whole + 1;
}

// Halfway cases away from zero.
double round(double x)
{
    double whole = trunc(x);
    double rest = x - whole;
    if (rest >= 0.5)
        return whole + 1;
    return rest <= -0.5 ? whole - 1 : whole;
}

// Halfway cases to even: a sum that has no digits behind the point is rounded there.
double rint(double x)
{
    if (!(-EXACT < x && x < EXACT) || x == 0)
        return x;
    if (x > 0)
        return x + EXACT - EXACT;
    double whole = x - EXACT + EXACT;
    return whole == 0 ? -0.0 : whole;
}

double nearbyint(double x)
{
    return rint(x);
}

double roundeven(double x)
{
    return rint(x);
}

float truncf(float x)
{
    return (float)trunc(x);
}

float floorf(float x)
{
    return (float)floor(x);
}

float ceilf(float x)
{
    return (float)ceil(x);
}

float roundf(float x)
{
    return (float)round(x);
}

float rintf(float x)
{
    return (float)rint(x);
}

float nearbyintf(float x)
{
    return (float)rint(x);
}

long double truncl(long double x)
{
    if (!(-MOST_EXTENDED < x && x < MOST_EXTENDED) || x == 0)
        return x;
    long double whole = (long double)(long long)x;
    return whole == 0 && x < 0 ? -0.0L : whole;
}

long double floorl(long double x)
{
    long double whole = truncl(x);
    return whole > x ? whole - 1 : whole;
}

long double ceill(long double x)
{
    long double whole = truncl(x);
    if (!(whole < x))
        return whole;
    return whole == -1 ? -0.0L : whole + 1;
}

long double roundl(long double x)
{
    long double whole = truncl(x);
    long double rest = x - whole;
    if (rest >= 0.5)
        return whole + 1;
    return rest <= -0.5 ? whole - 1 : whole;
}

// --- to integers ------------------------------------------------------------------------------------
// What does not fit gives any number, and whether `errno` tells so is open (C11 7.12.9.7p2).

static long as_long(double whole)
{
    const double most = -(double)(-__LONG_MAX__ - 1);
    if (-most <= whole && whole < most)
        return (long)whole;
    sley_might_set_errno(SLEY_EDOM);
    return __sley_unknown_long("lround");
}

static long long as_long_long(double whole)
{
    const double most = -(double)(-__LONG_LONG_MAX__ - 1);
    if (-most <= whole && whole < most)
        return (long long)whole;
    sley_might_set_errno(SLEY_EDOM);
    return __sley_unknown_longlong("llround");
}

long lround(double x)
{
    return as_long(round(x));
}

long lrint(double x)
{
    return as_long(rint(x));
}

long long llround(double x)
{
    return as_long_long(round(x));
}

long long llrint(double x)
{
    return as_long_long(rint(x));
}

long lroundf(float x)
{
    return as_long(round(x));
}

long lrintf(float x)
{
    return as_long(rint(x));
}

long long llroundf(float x)
{
    return as_long_long(round(x));
}

long long llrintf(float x)
{
    return as_long_long(rint(x));
}

// --- the rounding mode ------------------------------------------------------------------------------

int fegetround(void)
{
    return 0;
}

int fesetround(int mode)
{
    if (mode != 0)
        __sley_give_up("another rounding mode than to nearest");
    return 0;
}
