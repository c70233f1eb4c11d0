// sley: reach=true race=true deadlock=true memory=true overflow=true
// An input that an assumption constrains to a few values.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= number && number < 4);
    assert(number * number < 10);
    return 0;
}
