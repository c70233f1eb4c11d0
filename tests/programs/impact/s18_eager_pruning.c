// sley: reach=false race=true deadlock=true memory=true overflow=true
// One thread: the assumption fails on one way and holds on the other. Why the one was given up must stand in the
// labels, or it covers the other.
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
    assert(0);
    return 0;
}
