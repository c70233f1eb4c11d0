// sley: reach=false race=true deadlock=true memory=true overflow=true
// A later block may lie on either side of an earlier one, wherever a freed one was.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4), *q = malloc(4);
    int was_below = (uintptr_t)p < (uintptr_t)q;
    free(p);
    p = malloc(4);
    assert(((uintptr_t)p < (uintptr_t)q) == was_below);
    free(p);
    free(q);
    return 0;
}
