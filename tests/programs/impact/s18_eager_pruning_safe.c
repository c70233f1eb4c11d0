// sley: reach=true race=true deadlock=true memory=true overflow=true
// One thread: behind the assumption, the value is known.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

_Atomic int x;

int main(void)
{
    if (__VERIFIER_nondet_bool())
        goto out;
    x = 1;
out:
    __VERIFIER_assume(x == 1);
    assert(x == 1);
    return 0;
}
