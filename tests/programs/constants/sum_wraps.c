// sley: reach=true race=true deadlock=true memory=true overflow=false
// Constant sums, differences, products and negations wrap around as others do.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int sum = 2147483647 + 1;
    int difference = INT_MIN - 1;
    int product = 65536 * 65536;
    int negated = -INT_MIN;
    long wide = LONG_MAX + 1L;
    assert(sum == INT_MIN && difference == INT_MAX && product == 0 && negated == INT_MIN);
    assert(wide == LONG_MIN);
    return 0;
}
