// sley: reach=false race=true deadlock=true memory=true overflow=true
// One step makes two inputs and looks at the second one: whatever that is, the first one may be either.
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    _Bool b = __VERIFIER_nondet_bool();
    unsigned x = __VERIFIER_nondet_uint();
    if (x == 78)
        x = 5;
    assert(!b);
    return 0;
}
