// sley: reach=false race=true deadlock=true memory=true overflow=true
// A random number can be any.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(rand() != 7);
    return 0;
}
