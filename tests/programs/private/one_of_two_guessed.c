// sley: reach=false race=true deadlock=true memory=true overflow=true
// A pointer leads to one of two locals.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = 0, b = 0;
    int *place = __VERIFIER_nondet_int() ? &a : &b;
    *place = 1;
    assert(a == 1);
}
