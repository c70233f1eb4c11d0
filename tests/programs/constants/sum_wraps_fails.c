// sley: reach=false race=true deadlock=true memory=true overflow=false
// Behind an overflow of constants the program goes on, and fails.
#include <assert.h>

int main(void)
{
    int sum = 2147483647 + 1;
    assert(sum > 0);
    return 0;
}
