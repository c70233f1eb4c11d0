// sley: reach=true race=true deadlock=true memory=true overflow=true
// Nobody changes the environment: a variable that is there stays there.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(!getenv("HOME") == !getenv("HOME"));
    if (getenv("LANG"))
        assert(getenv("LANG"));
    return 0;
}
