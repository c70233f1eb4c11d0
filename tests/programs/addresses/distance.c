// sley: reach=false race=true deadlock=true memory=true overflow=true
// How far two blocks are apart is not known.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4), *q = malloc(4);
    uintptr_t distance = (uintptr_t)p - (uintptr_t)q;
    assert(distance != 64);
    free(p);
    free(q);
    return 0;
}
