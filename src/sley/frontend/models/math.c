// Functions on floating-point numbers whose results IEEE 754 or C11 Annex F fixes to the last bit. Those that may
// differ from one library to another, such as `sin` and `pow`, have no model.
#include "sley.h"

#define EXACT 4503599627370496.0              // from here on, every double is an integer

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

long lround(double x)
{
    return (long)round(x);
}

// What is no number counts as missing (C11 F.10.9.2); of two zeros either may be returned.
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

// Rounded correctly (IEEE 754-2008 5.4.1): 54 bits of the root, one at a time; the last of them rounds. No root of a
// double lies halfway between two others.
double sqrt(double x)
{
    union {
        double number;
        unsigned long long bits;
    } of = {.number = x};
    if (x == 0 || x != x || x == __builtin_inf())
        return x;
    if (x < 0)
        return __builtin_nan("");
    int exponent = (int)(of.bits >> 52) - 1075;
    unsigned long long digits = of.bits & 0xfffffffffffffULL;
    if (exponent == -1075)
        exponent++;                            // subnormal
    else
        digits |= 1ULL << 52;
    while (digits < 1ULL << 52) {
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
        int place = 52 - 2 * at;
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
    of.bits = (unsigned long long)(exponent / 2 - 26 + 1075) << 52;
    of.bits += root - (1ULL << 52);
    return of.number;
}

float sqrtf(float x)
{
    return (float)sqrt(x);                     // twice rounded is once rounded: a double has twice the digits and two
}
