// sley: reach=false race=true deadlock=true memory=true overflow=true
// An arbitrary pointer is not that of a block, but may be that of a later one, which need not lie there.
#include <assert.h>
#include <stdlib.h>

extern void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    void *guess = __VERIFIER_nondet_pointer(), *first = malloc(4);
    if (guess == first) {
        free(first);
        return 0;
    }
    free(first);
    first = 0;
    void *second = malloc(4);
    assert(guess != second);
    free(second);
    return 0;
}
