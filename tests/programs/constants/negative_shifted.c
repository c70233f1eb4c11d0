// sley: reach=false race=true deadlock=true memory=true overflow=false
// A negative constant shifted left is minus two, not minus one.
#include <assert.h>

int main(void)
{
    int shifted = -1 << 1;
    assert(shifted == -1);
    return 0;
}
