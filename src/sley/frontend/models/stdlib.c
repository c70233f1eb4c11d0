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

// Between 0 and 1: to say so would be to compute with a number that may have very many values.
double drand48(void)
{
    return __sley_unknown_double("drand48");
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

// --- division ---------------------------------------------------------------------------------------

typedef struct {
    int quotient;
    int remainder;
} div_t;

typedef struct {
    long quotient;
    long remainder;
} ldiv_t;

typedef struct {
    long long quotient;
    long long remainder;
} lldiv_t;

div_t div(int dividend, int divisor)
{
    div_t result = {dividend / divisor, dividend % divisor};
    return result;
}

ldiv_t ldiv(long dividend, long divisor)
{
    ldiv_t result = {dividend / divisor, dividend % divisor};
    return result;
}

lldiv_t lldiv(long long dividend, long long divisor)
{
    lldiv_t result = {dividend / divisor, dividend % divisor};
    return result;
}

// --- the rest of the environment --------------------------------------------------------------------

int setenv(const char *name, const char *value, int overwrite)
{
    __sley_give_up("the environment is changed");
}

int putenv(char *definition)
{
    __sley_give_up("the environment is changed");
}

// Another program runs, and changes nothing of this one.
int system(const char *command)
{
    return __sley_nondet_int();
}
