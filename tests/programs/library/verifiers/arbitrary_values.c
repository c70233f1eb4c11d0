// sley: reach=true race=true deadlock=true memory=true overflow=true
// Arbitrary values of all types are there.
#include <assert.h>
#include <stddef.h>

_Bool nondet_bool(void);
char nondet_char(void);
signed char nondet_schar(void);
unsigned char nondet_uchar(void);
short nondet_short(void);
unsigned short nondet_ushort(void);
int nondet_int(void);
unsigned int nondet_uint(void);
unsigned int nondet_unsigned(void);
long nondet_long(void);
unsigned long nondet_ulong(void);
size_t nondet_size_t(void);
float nondet_float(void);
double nondet_double(void);
void __ESBMC_yield(void);

int main(void)
{
    nondet_char();
    nondet_schar();
    nondet_uchar();
    nondet_short();
    nondet_ushort();
    _Bool truth = nondet_bool();
    assert(truth == 0 || truth == 1);
    nondet_int();
    nondet_uint();
    nondet_unsigned();
    nondet_long();
    nondet_ulong();
    nondet_size_t();
    nondet_float();
    nondet_double();
    __ESBMC_yield();
    return 0;
}
