// sley: reach=false race=true deadlock=true memory=true overflow=false
// A constant one shifted into the sign bit is not zero: what follows is reached, and fails.
#include <assert.h>

int main(void)
{
    int top = 1 << 31;
    assert(top == 0);
    return 0;
}
