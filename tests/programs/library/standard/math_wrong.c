// sley: reach=false race=true deadlock=true memory=true overflow=true
// The square of a root is not always the number.
#include <assert.h>
#include <math.h>

int main(void)
{
    double root = sqrt(2.0);
    assert(root * root == 2.0);
    return 0;
}
