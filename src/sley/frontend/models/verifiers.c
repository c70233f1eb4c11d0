// What programs written for CBMC and ESBMC call.
#include "sley.h"

// A failed assertion is found, and does not end the run.
static void assert_and_go_on(_Bool condition)
{
    if (!condition && __sley_nondet_bool())
        __sley_check(0, "reach", "assertion", "assertion can fail");
}

void __CPROVER_assert(_Bool condition, const char *description)
{
    assert_and_go_on(condition);
}

void __CPROVER_assume(_Bool condition)
{
    __sley_assume(condition);
}

void __CPROVER_atomic_begin(void)
{
    __sley_atomic_begin();
}

void __CPROVER_atomic_end(void)
{
    __sley_atomic_end();
}

void __ESBMC_assert(_Bool condition, const char *description)
{
    assert_and_go_on(condition);
}

void __ESBMC_assume(_Bool condition)
{
    __sley_assume(condition);
}

void __ESBMC_atomic_begin(void)
{
    __sley_atomic_begin();
}

void __ESBMC_atomic_end(void)
{
    __sley_atomic_end();
}

void __ESBMC_yield(void)
{
}

// --- arbitrary values of both -----------------------------------------------------------------------

_Bool nondet_bool(void)
{
    return __sley_nondet_bool();
}

char nondet_char(void)
{
    return __sley_nondet_char();
}

signed char nondet_schar(void)
{
    return (signed char)__sley_nondet_char();
}

unsigned char nondet_uchar(void)
{
    return __sley_nondet_uchar();
}

short nondet_short(void)
{
    return __sley_nondet_short();
}

unsigned short nondet_ushort(void)
{
    return __sley_nondet_ushort();
}

int nondet_int(void)
{
    return __sley_nondet_int();
}

unsigned int nondet_uint(void)
{
    return __sley_nondet_uint();
}

unsigned int nondet_unsigned(void)
{
    return __sley_nondet_uint();
}

long nondet_long(void)
{
    return __sley_nondet_long();
}

unsigned long nondet_ulong(void)
{
    return __sley_nondet_ulong();
}

sley_size nondet_size_t(void)
{
    return __sley_nondet_ulong();
}

float nondet_float(void)
{
    return __sley_nondet_float();
}

double nondet_double(void)
{
    return __sley_nondet_double();
}
