// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A handler of at_quick_exit runs at quick_exit.
#include <assert.h>
#include <stdlib.h>

void fail(void)
{
    assert(0);
}

int main(void)
{
    at_quick_exit(fail);
    quick_exit(0);
}
