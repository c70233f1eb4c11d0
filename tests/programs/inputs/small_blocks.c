// sley: reach=false race=true deadlock=true memory=false overflow=true
// A block of any size; a small one shows what is wrong.
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    int *block = malloc((unsigned long)n * sizeof(int));
    if (n < 2)
        return 0;
    block[0] = 1;
    block[n - 1] = 2;
    assert(block[1] != 2);
    return 0;
}
