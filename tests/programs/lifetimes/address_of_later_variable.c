// sley: reach=false race=true deadlock=true overflow=true
// Nobody knows whether a variable lives where another one lived before.
#include <assert.h>

int main(void)
{
    int *former;
    {
        int one = 1;
        former = &one;
    }
    {
        int two = 2;
        assert(former != &two);
    }
    return 0;
}
