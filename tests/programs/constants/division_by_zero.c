// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// A constant divided by a constant zero ends the run.
#include <assert.h>

int main(void)
{
    int number = 5 / 0;
    assert(number == 77);
    return 0;
}
