// Numbers from the standard library; memory, exit and abort are instructions of their own.
#include "sley.h"

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

int rand(void)
{
    int value = __sley_nondet_int();
    __sley_assume(value >= 0);
    return value;
}

void srand(unsigned int seed)
{
}

int rand_r(unsigned int *seed)
{
    *seed = __sley_nondet_uint();
    return rand();
}

long random(void)
{
    return rand();
}

void srandom(unsigned int seed)
{
}

long lrand48(void)
{
    return rand();
}

void srand48(long seed)
{
}

double drand48(void)
{
    double value = __sley_nondet_double();
    __sley_assume(0.0 <= value && value < 1.0);
    return value;
}

// Nobody knows the environment: null, or a string that cannot be looked at.
char *getenv(const char *name)
{
    return __sley_nondet_pointer();
}

char *setlocale(int category, const char *locale)
{
    return __sley_nondet_pointer();
}
