// sley: reach=true race=true deadlock=true memory=true overflow=false
// An overflow of constants in the chosen expression of a selection by type happens.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int sum = _Generic(0, int : INT_MAX + 1, default : 5);
    assert(sum == INT_MIN);
    return 0;
}
