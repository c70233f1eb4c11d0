// sley: reach=false race=true deadlock=true memory=true overflow=true
// Thirty calls deep an assertion fails.
#include <assert.h>

static int start = 30;

static int depth(int left)
{
    assert(left > 0 || left < -5);
    return left ? 1 + depth(left - 1) : 0;
}

int main(void)
{
    return depth(start) == start;
}
