// sley: reach=true race=true deadlock=true memory=true overflow=true
// A random number is not negative.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand(1);
    assert(rand() >= 0 && rand() <= RAND_MAX);
    srand48(1);
    assert(lrand48() >= 0);
    return 0;
}
