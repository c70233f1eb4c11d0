// sley: reach=true race=true deadlock=true memory=true overflow=true
// A product that overflows asks for more memory than there is, not for little.
#include <stdlib.h>

unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long count = __VERIFIER_nondet_ulong() ? 1UL << 63 : 1UL << 62;
    char *block = calloc(count, 4);
    free(block);
    return 0;
}
