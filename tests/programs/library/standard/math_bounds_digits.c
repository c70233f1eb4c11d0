// sley: unmodelled=true
// What the sine of a number is to the last digit, C leaves open.
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(sin(2.5) < 0.5);
    return 0;
}
