// sley: reach=true race=true deadlock=true memory=true overflow=true
// A short decimal number is what it says.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(atof("2") == 2.0);
    return 0;
}
