// sley: reach=true race=true deadlock=true memory=true overflow=true
// A jump back inside the block: the compound literal is the same object, filled again.
#include <assert.h>

int main(void)
{
    int round = 0;
    int *pointers[3];
again:
    pointers[round] = &(int){round * 2};
    round++;
    if (round < 3)
        goto again;
    assert(pointers[0] == pointers[2]);
    assert(*pointers[0] == 4 && *pointers[1] == 4);
    int *kept = &(int){7};
    {
        int *inner = (int[]){1, 2};
        kept = inner + 1;
        assert(*kept == 2);
    }
    return 0;
}
