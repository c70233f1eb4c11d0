// sley: reach=false race=true deadlock=true memory=true overflow=false division=true
// The smallest number divided by minus one, both constant: an overflow, and no division by zero.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int rest = INT_MIN % -1;
    int quotient = INT_MIN / -1;
    assert(rest == 0);
    assert(quotient == 0);
    return 0;
}
