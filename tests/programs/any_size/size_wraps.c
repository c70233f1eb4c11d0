// sley: reach=true race=true deadlock=true memory=false overflow=true
// The size of a block is computed in 32 bits and wraps around: there are fewer elements than were asked for.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1)
        return 0;
    unsigned bytes = n * 16;
    char *block = malloc(bytes);
    if (block) {
        block[n - 1] = 1;
        free(block);
    }
    return 0;
}
