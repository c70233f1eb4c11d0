// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Functions that are declared not to return do not: they exit, call others that do, or go on for ever.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void quit(void) __attribute__((noreturn));

static void quit(void)
{
    exit(0);
}

_Noreturn static void fail(int code)
{
    if (code > 1)
        quit();
    while (code)
        ;
    quit();
}

int main(void)
{
    int code = __VERIFIER_nondet_int();
    if (code)
        fail(code);
    assert(code == 0);
    return 0;
}
