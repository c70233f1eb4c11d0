#ifndef SLEY_MATH_H
#define SLEY_MATH_H

typedef float float_t;
typedef double double_t;

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4

#define isnan(x) ((x) != (x))
#define isinf(x) ((x) == HUGE_VAL || (x) == -HUGE_VAL)
#define isfinite(x) ((x) - (x) == 0)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define isunordered(x, y) (isnan(x) || isnan(y))

#define SLEY_ONE(name) \
    double name(double); \
    float name##f(float); \
    long double name##l(long double);
#define SLEY_TWO(name) \
    double name(double, double); \
    float name##f(float, float); \
    long double name##l(long double, long double);
SLEY_ONE(acos)
SLEY_ONE(acosh)
SLEY_ONE(asin)
SLEY_ONE(asinh)
SLEY_ONE(atan)
SLEY_ONE(atanh)
SLEY_ONE(cbrt)
SLEY_ONE(ceil)
SLEY_ONE(cos)
SLEY_ONE(cosh)
SLEY_ONE(erf)
SLEY_ONE(exp)
SLEY_ONE(exp2)
SLEY_ONE(expm1)
SLEY_ONE(fabs)
SLEY_ONE(floor)
SLEY_ONE(lgamma)
SLEY_ONE(log)
SLEY_ONE(log10)
SLEY_ONE(log1p)
SLEY_ONE(log2)
SLEY_ONE(nearbyint)
SLEY_ONE(rint)
SLEY_ONE(round)
SLEY_ONE(sin)
SLEY_ONE(sinh)
SLEY_ONE(sqrt)
SLEY_ONE(tan)
SLEY_ONE(tanh)
SLEY_ONE(tgamma)
SLEY_ONE(trunc)
SLEY_TWO(atan2)
SLEY_TWO(copysign)
SLEY_TWO(fdim)
SLEY_TWO(fmax)
SLEY_TWO(fmin)
SLEY_TWO(fmod)
SLEY_TWO(hypot)
SLEY_TWO(nextafter)
SLEY_TWO(pow)
SLEY_TWO(remainder)
#undef SLEY_ONE
#undef SLEY_TWO
double frexp(double, int *);
double ldexp(double, int);
double modf(double, double *);
double fma(double, double, double);
long lround(double);
long lrint(double);
long long llround(double);

#endif
