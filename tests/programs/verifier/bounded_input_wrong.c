// sley: reach=false race=true deadlock=true memory=true overflow=true
// Exactly one of the inputs breaks the assertion.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned char number = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(number % 2 == 1);
    assert(number * number != 49);
    return 0;
}
