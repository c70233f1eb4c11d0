// sley: unmodelled=true
// The same seed repeats the same numbers (C11 7.22.2.2p2): that they differ is no bug, but they are not computed.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned int one = 9, other = 9;
    srand(5);
    int first = rand();
    srand(5);
    assert(first == rand());
    assert(rand_r(&one) == rand_r(&other));
    return 0;
}
