// sley: reach=false race=true deadlock=true memory=true overflow=true
// Only a pointer with an unknown index still names the block: a later block may lie there, or elsewhere.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < 100);
    char *first = (char *)malloc(200) + i;
    free(first - i);
    char *second = malloc(200);
    if (first != second + i)
        assert(i != 6);
    free(second);
    return 0;
}
