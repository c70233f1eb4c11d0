// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A function that is declared `_Noreturn` returns in one case, which is undefined (C11 6.7.4p8).
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

_Noreturn void fail(int code);

void fail(int code)
{
    if (code)
        exit(code);
}

int main(void)
{
    fail(__VERIFIER_nondet_int());
}
