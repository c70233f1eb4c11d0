// sley: reach=true race=true deadlock=true memory=true overflow=true
// The order of addresses is unknown, but it is an order: never a cycle, and exactly one of < and >.
#include <assert.h>
#include <stdint.h>

int a, b, c;

int before(int *p, int *q) { return (uintptr_t)p < (uintptr_t)q; }

int main(void)
{
    assert(!(before(&a, &b) && before(&b, &c) && before(&c, &a)));
    assert(before(&a, &b) != before(&b, &a));
    assert(!before(&c, &c));
    if (before(&a, &b) && before(&b, &c))
        assert(before(&a, &c));
    return 0;
}
