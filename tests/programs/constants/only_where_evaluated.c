// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// Constants that nobody evaluates cannot go wrong: in `sizeof`, branches not taken, unused alternatives.
#include <assert.h>

int main(void)
{
    int size = sizeof(1 / 0) + sizeof(2147483647 + 1);
    int chosen = 1 ? 4 : 1 / 0;
    int both = 0 && 1 << 40;
    int either = 1 || 2147483647 + 1;
    if (0)
        size = 1 << 31;
    assert(size == 8 && chosen == 4 && both == 0 && either == 1);
    return _Generic(1 / 0, int : 0, default : 1);
}
