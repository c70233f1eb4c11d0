// sley: reach=false race=true deadlock=true memory=true overflow=true args="--data-model ILP32"
// A block of 2 MB is nothing special: what happens only with a large one is no less wrong.
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(0 < n && n <= 1000000);
    int *a = malloc(n * sizeof(int));
    a[n - 1] = 1;
    assert(n != 500000);
    free(a);
}
