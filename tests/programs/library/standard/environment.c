// sley: reach=false race=true deadlock=true memory=true overflow=true
// A variable of the environment can be missing.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(getenv("HOME") != 0);
    return 0;
}
