// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every call has its own locals, also those whose address is taken.
#include <assert.h>

static int depth(int *outer, int level)
{
    int local = level;
    if (level == 3)
        return *outer;
    int inner = depth(&local, level + 1);
    assert(local == level);
    return inner + *outer;
}

int main(void)
{
    int start = 10;
    assert(depth(&start, 0) == 10 + 0 + 1 + 2);
    return 0;
}
