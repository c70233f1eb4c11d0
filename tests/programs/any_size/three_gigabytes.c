// sley: reach=false race=true deadlock=true memory=true overflow=true
// A block of 3 GB is large, but machines have that much.
#include <assert.h>
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    char *a = malloc(n);
    assert(n < 3000000000ul);
    free(a);
}
