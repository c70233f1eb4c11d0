// Functions whose digits differ from one library to another. Special values are those of C11 Annex F, other results
// are unknown in the bounds that hold for all libraries: a bug that rests on such a number is a possible one only.
#include "sley.h"

#define INFINITE __builtin_inf()
#define NO_NUMBER __builtin_nan("")
#define PI 3.14159265358979311600             // the greatest double that is not above it
#define MOST_LOGARITHM 1100                   // that of a double, of any base from 2 on, is smaller

double trunc(double x);
double scalbn(double x, int n);

static double domain_error(void)
{
    sley_may_set_errno(SLEY_EDOM);
    return NO_NUMBER;
}

static double range_error(double result)
{
    sley_may_set_errno(SLEY_ERANGE);
    return result;
}

static _Bool is_infinite(double x)
{
    return x == INFINITE || x == -INFINITE;
}

static double between(double value, double least, double most)
{
    __sley_assume(least <= value && value <= most);
    return value;
}

static _Bool is_whole(double x)
{
    return trunc(x) == x;
}

// --- circles ----------------------------------------------------------------------------------------

double sin(double x)
{
    if (x == 0 || x != x)
        return x;
    return is_infinite(x) ? domain_error() : between(__sley_unknown_double("sin"), -1, 1);
}

double cos(double x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    return is_infinite(x) ? domain_error() : between(__sley_unknown_double("cos"), -1, 1);
}

double tan(double x)
{
    if (x == 0 || x != x)
        return x;
    return is_infinite(x) ? domain_error() : between(__sley_unknown_double("tan"), -__DBL_MAX__, __DBL_MAX__);
}

double asin(double x)
{
    if (x == 0 || x != x)
        return x;
    return x < -1 || x > 1 ? domain_error() : between(__sley_unknown_double("asin"), -PI / 2, PI / 2);
}

double acos(double x)
{
    if (x == 1)
        return 0;
    if (x != x)
        return x;
    return x < -1 || x > 1 ? domain_error() : between(__sley_unknown_double("acos"), 0, PI);
}

double atan(double x)
{
    if (x == 0 || x != x)
        return x;
    return between(__sley_unknown_double("atan"), x < 0 ? -PI / 2 : 0, x < 0 ? 0 : PI / 2);
}

double atan2(double y, double x)
{
    if (x != x || y != y)
        return NO_NUMBER;
    if (y == 0 && x > 0)
        return y;
    return between(__sley_unknown_double("atan2"), y > 0 ? 0 : -PI, y < 0 ? 0 : PI);
}

// --- hyperbolas -------------------------------------------------------------------------------------

double sinh(double x)
{
    if (x == 0 || x != x || is_infinite(x))
        return x;
    if (x > 711 || x < -711)
        return range_error(x < 0 ? -INFINITE : INFINITE);
    double result = between(__sley_unknown_double("sinh"), x < 0 ? -INFINITE : 0, x < 0 ? 0 : INFINITE);
    return is_infinite(result) ? range_error(result) : result;
}

double cosh(double x)
{
    if (x == 0)
        return 1;
    if (x != x || is_infinite(x))
        return x * x;
    if (x > 711 || x < -711)
        return range_error(INFINITE);
    double result = between(__sley_unknown_double("cosh"), 1, INFINITE);
    return is_infinite(result) ? range_error(result) : result;
}

double tanh(double x)
{
    if (x == 0 || x != x)
        return x;
    if (is_infinite(x))
        return x < 0 ? -1 : 1;
    return between(__sley_unknown_double("tanh"), x < 0 ? -1 : 0, x < 0 ? 0 : 1);
}

double asinh(double x)
{
    if (x == 0 || x != x || is_infinite(x))
        return x;
    return between(__sley_unknown_double("asinh"), x < 0 ? -MOST_LOGARITHM : 0, x < 0 ? 0 : MOST_LOGARITHM);
}

double acosh(double x)
{
    if (x == 1)
        return 0;
    if (x != x || x == INFINITE)
        return x;
    return x < 1 ? domain_error() : between(__sley_unknown_double("acosh"), 0, MOST_LOGARITHM);
}

double atanh(double x)
{
    if (x == 0 || x != x)
        return x;
    if (x == 1 || x == -1)
        return range_error(x * INFINITE);
    if (x < -1 || x > 1)
        return domain_error();
    return between(__sley_unknown_double("atanh"), x < 0 ? -MOST_LOGARITHM : 0, x < 0 ? 0 : MOST_LOGARITHM);
}

// --- powers and logarithms --------------------------------------------------------------------------

// Between 1 and what overflows for sure, or between zero and 1.
static double raised(double result, _Bool is_up)
{
    between(result, is_up ? 1 : 0, is_up ? INFINITE : 1);
    if (result < __DBL_MIN__ || result == INFINITE)
        sley_may_set_errno(SLEY_ERANGE);
    return result;
}

double exp(double x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (is_infinite(x))
        return x < 0 ? 0 : x;
    return x >= 710 ? range_error(INFINITE) : raised(__sley_unknown_double("exp"), x > 0);
}

static void rely_on_exact_powers(void)
{
    __sley_rely_on("pow and exp2 are exact where the result is a whole number below 2^53");
}

double exp2(double x)
{
    if (x == 0)
        return 1;
    if (x != x)
        return x;
    if (is_infinite(x))
        return x < 0 ? 0 : x;
    if (0 < x && x < 53 && is_whole(x)) {
        rely_on_exact_powers();
        return scalbn(1, (int)x);
    }
    return x >= 1024 ? range_error(INFINITE) : raised(__sley_unknown_double("exp2"), x > 0);
}

double expm1(double x)
{
    if (x == 0 || x != x)
        return x;
    if (is_infinite(x))
        return x < 0 ? -1 : x;
    if (x >= 710)
        return range_error(INFINITE);
    double result = between(__sley_unknown_double("expm1"), x < 0 ? -1 : 0, x < 0 ? 0 : INFINITE);
    return is_infinite(result) ? range_error(result) : result;
}

// Below zero there is none, at zero it is infinite (a pole), at 1 it is zero.
static _Bool has_usual_logarithm(double x)
{
    return 0 < x && x < INFINITE && x != 1;
}

static double special_logarithm(double x)
{
    if (x == 1)
        return 0;
    if (x == 0)
        return range_error(-INFINITE);
    return x < 0 ? domain_error() : x;
}

static double logarithm(double result, double x)
{
    return between(result, x < 1 ? -MOST_LOGARITHM : 0, x < 1 ? 0 : MOST_LOGARITHM);
}

double log(double x)
{
    return has_usual_logarithm(x) ? logarithm(__sley_unknown_double("log"), x) : special_logarithm(x);
}

double log2(double x)
{
    return has_usual_logarithm(x) ? logarithm(__sley_unknown_double("log2"), x) : special_logarithm(x);
}

double log10(double x)
{
    return has_usual_logarithm(x) ? logarithm(__sley_unknown_double("log10"), x) : special_logarithm(x);
}

double log1p(double x)
{
    if (x == 0 || x != x || x == INFINITE)
        return x;
    if (x == -1)
        return range_error(-INFINITE);
    if (x < -1)
        return domain_error();
    return between(__sley_unknown_double("log1p"), x < 0 ? -MOST_LOGARITHM : 0, x < 0 ? 0 : MOST_LOGARITHM);
}

// A whole number to a power that is a small one; 0 if the product has more digits than a double.
static double exact_power(double x, double y)
{
    const double most = 9007199254740992.0;
    double product = 1;
    for (int i = 0; i < (int)y; i++) {
        product *= x;
        if (product > most || product < -most)
            return 0;
    }
    return product;
}

static double power_of_infinite(double x, double y, _Bool is_odd)
{
    if (y < 0)
        return is_odd && x < 0 ? -0.0 : 0;
    return is_odd ? x : INFINITE;
}

static double infinite_power(double x, double y)
{
    double size = x < 0 ? -x : x;
    if (size == 1)
        return 1;
    return (size > 1) == (y > 0) ? INFINITE : 0;
}

// C11 F.10.4.4.
double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return NO_NUMBER;
    if (is_infinite(y))
        return infinite_power(x, y);
    _Bool is_odd = is_whole(y) && !is_whole(y / 2);
    if (is_infinite(x))
        return power_of_infinite(x, y, is_odd);
    if (x == 0) {
        if (y < 0)
            return range_error(is_odd ? 1 / x : INFINITE);
        return is_odd ? x : 0;
    }
    if (x < 0 && !is_whole(y))
        return domain_error();
    if (is_whole(x) && is_whole(y) && 0 < y && y <= 64) {
        double exact = exact_power(x, y);
        if (exact != 0) {
            rely_on_exact_powers();
            return exact;
        }
    }
    double size = __sley_unknown_double("pow"), base = x < 0 ? -x : x;
    size = raised(size, base == 1 || (base > 1) == (y > 0));
    if (base == 1)
        __sley_assume(size == 1);
    return x < 0 && is_odd ? -size : size;
}

double cbrt(double x)
{
    if (x == 0 || x != x || is_infinite(x))
        return x;
    double size = x < 0 ? -x : x;
    double root = between(__sley_unknown_double("cbrt"), size < 1 ? size : 1, size < 1 ? 1 : size);
    return x < 0 ? -root : root;
}

double hypot(double x, double y)
{
    if (is_infinite(x) || is_infinite(y))
        return INFINITE;
    if (x != x || y != y)
        return NO_NUMBER;
    if (x == 0 || y == 0)
        return x == 0 ? (y < 0 ? -y : y + 0.0) : (x < 0 ? -x : x);
    double result = between(__sley_unknown_double("hypot"), 0, INFINITE);
    return is_infinite(result) ? range_error(result) : result;
}

double erf(double x)
{
    if (x == 0 || x != x)
        return x;
    if (is_infinite(x))
        return x < 0 ? -1 : 1;
    return between(__sley_unknown_double("erf"), x < 0 ? -1 : 0, x < 0 ? 0 : 1);
}

// --- the same for float -----------------------------------------------------------------------------
// Rounding keeps the bounds; what is too large for a float is found here.

static float narrowed(double result)
{
    float narrow = (float)result;
    if (is_infinite(narrow) && !is_infinite(result))
        sley_may_set_errno(SLEY_ERANGE);
    return narrow;
}

float sinf(float x)
{
    return narrowed(sin(x));
}

float cosf(float x)
{
    return narrowed(cos(x));
}

float tanf(float x)
{
    return narrowed(tan(x));
}

float asinf(float x)
{
    return narrowed(asin(x));
}

float acosf(float x)
{
    return narrowed(acos(x));
}

float atanf(float x)
{
    return narrowed(atan(x));
}

float sinhf(float x)
{
    return narrowed(sinh(x));
}

float coshf(float x)
{
    return narrowed(cosh(x));
}

float tanhf(float x)
{
    return narrowed(tanh(x));
}

float expf(float x)
{
    return narrowed(exp(x));
}

float exp2f(float x)
{
    return narrowed(exp2(x));
}

float logf(float x)
{
    return narrowed(log(x));
}

float log2f(float x)
{
    return narrowed(log2(x));
}

float log10f(float x)
{
    return narrowed(log10(x));
}

float cbrtf(float x)
{
    return narrowed(cbrt(x));
}

float atan2f(float x, float y)
{
    return narrowed(atan2(x, y));
}

float powf(float x, float y)
{
    return narrowed(pow(x, y));
}

float hypotf(float x, float y)
{
    return narrowed(hypot(x, y));
}
