// Functions on floating-point numbers whose results IEEE 754 or C11 Annex F fixes to the last bit.
#include "sley.h"

enum { FRACTION_BITS = 52, BIAS = 1023, TOP = 2047 };

#define SIGN (1ULL << 63)
#define LEADING (1ULL << FRACTION_BITS)
#define INFINITE __builtin_inf()
#define NO_NUMBER __builtin_nan("")

double trunc(double x);

static double power_of_two(int exponent)
{
    return __sley_double((unsigned long long)(exponent + BIAS) << FRACTION_BITS);
}

// --- signs and order --------------------------------------------------------------------------------
// Of two zeros, `fmax` and `fmin` may return either.

// Which sign what is no number has, depends on the machine.
int signbit(double x)
{
    if (x != x)
        return __sley_unknown_bool("signbit");
    return (int)(__sley_bits(x) >> 63);
}

double copysign(double x, double y)
{
    unsigned long long sign = (unsigned long long)signbit(y) << 63;
    return __sley_double((__sley_bits(x) & ~SIGN) | sign);
}

float copysignf(float x, float y)
{
    return (float)copysign(x, y);
}

// What is no number counts as missing (C11 F.10.9.2).
double fmax(double x, double y)
{
    return x != x || x < y ? y : x;
}

double fmin(double x, double y)
{
    return x != x || x > y ? y : x;
}

float fmaxf(float x, float y)
{
    return x != x || x < y ? y : x;
}

float fminf(float x, float y)
{
    return x != x || x > y ? y : x;
}

long double fmaxl(long double x, long double y)
{
    return x != x || x < y ? y : x;
}

long double fminl(long double x, long double y)
{
    return x != x || x > y ? y : x;
}

// Whether `errno` tells of numbers that are too small, the library decides (C11 7.12.1p6).
static void may_underflow(double result, double x)
{
    const double least = power_of_two(1 - BIAS);
    if (-least < result && result < least && x != 0)
        sley_may_set_errno(SLEY_ERANGE);
}

static double overflow_of(double result, double x)
{
    if ((result == INFINITE || result == -INFINITE) && x - x == 0)
        sley_may_set_errno(SLEY_ERANGE);
    return result;
}

double fdim(double x, double y)
{
    if (x <= y)
        return 0;
    double difference = x - y;
    return y - y == 0 ? overflow_of(difference, x) : difference;
}

float fdimf(float x, float y)
{
    if (x <= y)
        return 0;
    float difference = x - y;
    if (y - y == 0)
        overflow_of(difference, x);
    return difference;
}

// --- exponents --------------------------------------------------------------------------------------

// Between a half and one, times a power of two.
double frexp(double x, int *exponent)
{
    if (x == 0) {
        *exponent = 0;
        return x;
    }
    if (x - x != 0) {
        *exponent = __sley_unknown_int("frexp");
        return x;
    }
    int shift = 0;
    if (x < power_of_two(1 - BIAS) && -x < power_of_two(1 - BIAS)) {
        x *= power_of_two(54);
        shift = 54;
    }
    unsigned long long bits = __sley_bits(x);
    *exponent = (int)(bits >> FRACTION_BITS & TOP) - (BIAS - 1) - shift;
    return __sley_double((bits & (SIGN | (LEADING - 1))) | (unsigned long long)(BIAS - 1) << FRACTION_BITS);
}

float frexpf(float x, int *exponent)
{
    return (float)frexp(x, exponent);
}

// In steps that each power of two has room for; only the last of them rounds.
static double scaled(double x, long n)
{
    double result = x;
    if (n > BIAS) {
        result *= power_of_two(BIAS);
        n -= BIAS;
        if (n > BIAS) {
            result *= power_of_two(BIAS);
            n -= BIAS;
            n = n > BIAS ? BIAS : n;
        }
    } else if (n < 1 - BIAS) {
        result *= power_of_two(1 - BIAS + 53);
        n += BIAS - 1 - 53;
        if (n < 1 - BIAS) {
            result *= power_of_two(1 - BIAS + 53);
            n += BIAS - 1 - 53;
            n = n < 1 - BIAS ? 1 - BIAS : n;
        }
    }
    return result * power_of_two((int)n);
}

double scalbln(double x, long n)
{
    double result = scaled(x, n);
    may_underflow(result, x);
    return overflow_of(result, x);
}

double scalbn(double x, int n)
{
    return scalbln(x, n);
}

double ldexp(double x, int n)
{
    return scalbln(x, n);
}

float ldexpf(float x, int n)
{
    float result = (float)scaled(x, n);
    if (-0x1p-126F < result && result < 0x1p-126F && x != 0)
        sley_may_set_errno(SLEY_ERANGE);
    overflow_of(result, x);
    return result;
}

float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}

int ilogb(double x)
{
    int exponent;
    if (x == 0 || x - x != 0) {
        sley_may_set_errno(SLEY_EDOM);
        return x == 0 || x != x ? -__INT_MAX__ - 1 : __INT_MAX__;
    }
    frexp(x, &exponent);
    return exponent - 1;
}

double logb(double x)
{
    if (x == 0) {
        sley_may_set_errno(SLEY_ERANGE);
        return -INFINITE;
    }
    return x - x != 0 ? x * x : ilogb(x);
}

double modf(double x, double *whole)
{
    double part = trunc(x);
    *whole = part;
    return x != x ? x : copysign(x == part ? 0 : x - part, x);
}

float modff(float x, float *whole)
{
    double part;
    float rest = (float)modf(x, &part);
    *whole = (float)part;
    return rest;
}

double nextafter(double x, double y)
{
    if (x != x || y != y)
        return NO_NUMBER;
    if (x == y)
        return y;
    unsigned long long bits = __sley_bits(x);
    if (x == 0)
        bits = y < 0 ? SIGN | 1 : 1;
    else
        bits += (x < y) == (x > 0) ? 1 : -1;
    double result = __sley_double(bits);
    may_underflow(result, 1);
    return overflow_of(result, x);
}

float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return __builtin_nanf("");
    if (x == y)
        return y;
    unsigned int bits = __sley_float_bits(x);
    if (x == 0)
        bits = y < 0 ? 1U << 31 | 1 : 1;
    else
        bits += (x < y) == (x > 0) ? 1 : -1;
    float result = __sley_float(bits);
    if (-0x1p-126F < result && result < 0x1p-126F)
        sley_may_set_errno(SLEY_ERANGE);
    overflow_of(result, x);
    return result;
}

// --- remainders -------------------------------------------------------------------------------------

static double domain_error(void)
{
    sley_may_set_errno(SLEY_EDOM);
    return NO_NUMBER;
}

// The digits of a positive number as a whole number, and what power of two they are multiplied with.
static unsigned long long digits_of(double x, int *exponent)
{
    unsigned long long bits = __sley_bits(x);
    unsigned long long digits = bits & (LEADING - 1);
    *exponent = (int)(bits >> FRACTION_BITS) - BIAS - FRACTION_BITS;
    if (bits < LEADING)
        *exponent += 1;
    else
        digits |= LEADING;
    return digits;
}

// Long division of positive numbers, by eleven binary digits at a time; what is left over is exact.
static double rest_of(double x, double y)
{
    enum { ROOM = 64 - FRACTION_BITS - 1 };
    int of_x, of_y;
    unsigned long long digits = digits_of(x, &of_x), divisor = digits_of(y, &of_y);
    for (; of_x > of_y && digits; of_x -= ROOM) {
        int step = of_x - of_y < ROOM ? of_x - of_y : ROOM;
        digits = (digits << step) % divisor;
    }
    return scaled((double)(digits % divisor), of_y);
}

double fmod(double x, double y)
{
    if (x != x || y != y)
        return NO_NUMBER;
    if (x - x != 0 || y == 0)
        return domain_error();
    double dividend = x < 0 ? -x : x, divisor = y < 0 ? -y : y;
    if (dividend < divisor)
        return x;
    return copysign(rest_of(dividend, divisor), x);
}

float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}

// What is left over from the nearest multiple, of two the even one.
double remainder(double x, double y)
{
    if (x != x || y != y)
        return NO_NUMBER;
    if (x - x != 0 || y == 0)
        return domain_error();
    double divisor = y < 0 ? -y : y;
    if (divisor <= __DBL_MAX__ / 2)
        x = fmod(x, divisor + divisor);
    double rest = x < 0 ? -x : x;
    if (divisor < 2 * power_of_two(1 - BIAS)) {
        if (rest + rest > divisor) {
            rest -= divisor;
            if (rest + rest >= divisor)
                rest -= divisor;
        }
    } else if (rest > divisor / 2) {
        rest -= divisor;
        if (rest >= divisor / 2)
            rest -= divisor;
    }
    return signbit(x) ? -rest : rest;
}

float remainderf(float x, float y)
{
    return (float)remainder(x, y);
}

// --- roots ------------------------------------------------------------------------------------------

// Rounded correctly (IEEE 754-2008 5.4.1): 54 bits of the root, one at a time; the last of them rounds. No root of a
// double lies halfway between two others.
double sqrt(double x)
{
    if (x == 0 || x != x || x == INFINITE)
        return x;
    if (x < 0)
        return domain_error();
    int exponent;
    unsigned long long digits = digits_of(x, &exponent);
    while (digits < LEADING) {
        digits <<= 1;
        exponent--;
    }
    if (exponent & 1) {
        digits <<= 1;
        exponent--;
    }
    // digits * 2^exponent, with 53 or 54 digits; the root is that of digits, shifted by half of the exponent
    unsigned long long root = 0, rest = 0;
    for (int at = 0; at < 54; at++) {
        int place = FRACTION_BITS - 2 * at;
        unsigned long long pair = place >= 0 ? digits >> place & 3 : 0;
        unsigned long long tried = root << 2 | 1;
        rest = rest << 2 | pair;
        root <<= 1;
        if (rest >= tried) {
            rest -= tried;
            root |= 1;
        }
    }
    // 27 places before the point and 27 behind it
    root = (root + 1) >> 1;
    unsigned long long bits = (unsigned long long)(exponent / 2 - 26 + BIAS + FRACTION_BITS) << FRACTION_BITS;
    return __sley_double(bits + root - LEADING);
}

float sqrtf(float x)
{
    return (float)sqrt(x);                     // twice rounded is once rounded: a double has twice the digits and two
}
