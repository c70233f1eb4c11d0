// sley: reach=false race=true deadlock=true memory=true overflow=true
// Of two locals, either may have the lower address.
#include <assert.h>
#include <stdint.h>

int main(void)
{
    int x = 1, y = 2;
    uintptr_t p = (uintptr_t)&x, q = (uintptr_t)&y;
    assert(p > q);
    return x + y == 4;
}
