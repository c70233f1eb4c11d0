// sley: unmodelled=true
// A bug that rests on a number that is not computed is only possible.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(atof("2") == 2.0);
    return 0;
}
