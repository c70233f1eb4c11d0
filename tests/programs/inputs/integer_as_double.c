// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every `int` is a `double` of the same value.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int number = __VERIFIER_nondet_int();
    assert((double)number == number);
    return 0;
}
