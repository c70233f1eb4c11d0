// sley: reach=true race=true deadlock=true memory=true overflow=true
// A function that is called before it is declared returns int; `x` without a type is an int.
#include <assert.h>

static x = 3;

int main()
{
    assert(twice(x) == 6);
    return 0;
}

int twice(int n)
{
    return 2 * n;
}
