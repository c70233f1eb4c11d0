// sley: reach=false race=true deadlock=true memory=true overflow=true
// Functions have different addresses in no particular order.
#include <assert.h>
#include <stdint.h>

int one(void) { return 1; }
int two(void) { return 2; }

int main(void)
{
    int (*p)(void) = one, (*q)(void) = two;
    assert(p != q && p() == 1 && q() == 2);
    assert((uintptr_t)p < (uintptr_t)q);
    return 0;
}
