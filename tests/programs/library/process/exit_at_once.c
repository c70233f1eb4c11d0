// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// _exit, _Exit, quick_exit and abort run no handlers of atexit; quick_exit runs its own.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);
int count;

void fail(void)
{
    assert(0);
}

void quick(void)
{
    assert(count++ == 0);
}

void quick_too(void)
{
    assert(count == 0);
}

int main(void)
{
    atexit(fail);
    at_quick_exit(quick);
    at_quick_exit(quick_too);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        _exit(0);
    case 1:
        _Exit(1);
    case 2:
        quick_exit(0);
    default:
        abort();
    }
}
