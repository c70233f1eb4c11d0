// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// A division by zero ends the run: the assertion after it is not reached.
#include <assert.h>

int zero;

int main(void)
{
    int number = 1 / zero;
    assert(number == 77);
    return 0;
}
