// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each call has variables of its own, also where calls are equally deep, and its caller may look at them.
#include <assert.h>

static int most = 3;

static int count(int depth, const int *above)
{
    int own[2] = {depth, *above};
    if (depth == 0)
        return own[1] == 1;
    int sum = count(depth - 1, &own[0]) + count(depth - 1, &own[0]);
    assert(own[0] == depth && own[1] == *above);
    return sum;
}

int main(void)
{
    int top = 4;
    assert(count(most, &top) == 8);
    return 0;
}
