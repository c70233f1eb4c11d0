// sley: reach=false race=true deadlock=true memory=true overflow=false
// What comes out of a conversion that does not fit is no fixed number: not even zero.
#include <assert.h>

int main(void)
{
    volatile float big = 5e9f;
    int number = big;
    assert(number == 0);
    return 0;
}
