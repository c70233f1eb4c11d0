// sley: reach=true race=true deadlock=true memory=true overflow=true
// `calloc` zeroes its block.
#include <assert.h>
#include <stdlib.h>

struct pair {
    short left;
    long right;
};

int main(void)
{
    struct pair *pairs = calloc(2, sizeof(struct pair));
    assert(pairs[0].left == 0 && pairs[1].right == 0);
    pairs[1].left = -3;
    assert(pairs[1].left == -3 && pairs[0].left == 0 && pairs[1].right == 0);
    free(pairs);
    return 0;
}
