// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each call of a recursive function has a local of its own, which the next call fills.
#include <assert.h>

static void count(int depth, int *result)
{
    int inner = 0;
    if (depth > 0)
        count(depth - 1, &inner);
    *result = inner + 1;
}

int main(void)
{
    int result;
    count(3, &result);
    assert(result == 4);
}
