// sley: reach=true race=true deadlock=true memory=true overflow=false
// Where overflow is not checked, signed arithmetic wraps around.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int number = INT_MAX;
    number += 2;
    assert(number == INT_MIN + 1);
    return 0;
}
