// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every number converts to a truth value, also one that fits no integer, and what is not a number.
#include <assert.h>
#include <stdbool.h>

int main(void)
{
    volatile double huge = 1e300, zero = 0.0;
    bool a = huge, b = zero, c = zero / zero, d = 0.25;
    assert(a && !b && c && d);
    return 0;
}
