// sley: reach=true race=true deadlock=true memory=true overflow=true
// A block of `alloca` ends with its call, not with the block that it is made in.
#include <alloca.h>
#include <assert.h>

static int call(int number)
{
    int *block = 0;
    if (number >= 0) {
        int *inner = alloca(sizeof(int));
        *inner = number;
        block = inner;
    }
    return *block;
}

int main(void)
{
    for (int round = 0; round < 2; round++)
        assert(call(round) == round);
    return 0;
}
