#ifndef SLEY_MATH_H
#define SLEY_MATH_H

typedef float float_t;
typedef double double_t;

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4

#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)

#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

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
SLEY_ONE(logb)
SLEY_ONE(log10)
SLEY_ONE(log1p)
SLEY_ONE(log2)
SLEY_ONE(nearbyint)
SLEY_ONE(rint)
SLEY_ONE(round)
SLEY_ONE(roundeven)
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
#define SLEY_ALL(result, name) \
    result name(double); \
    result name##f(float); \
    result name##l(long double);
SLEY_ALL(int, ilogb)
SLEY_ALL(long, lround)
SLEY_ALL(long, lrint)
SLEY_ALL(long long, llround)
SLEY_ALL(long long, llrint)
#undef SLEY_ALL
#define SLEY_POWERS(real, suffix) \
    real frexp##suffix(real, int *); \
    real ldexp##suffix(real, int); \
    real scalbn##suffix(real, int); \
    real scalbln##suffix(real, long); \
    real modf##suffix(real, real *); \
    real fma##suffix(real, real, real); \
    real remquo##suffix(real, real, int *); \
    real nan##suffix(const char *);
SLEY_POWERS(double, )
SLEY_POWERS(float, f)
SLEY_POWERS(long double, l)
#undef SLEY_POWERS

#endif
