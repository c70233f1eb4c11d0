// sley: reach=true race=true deadlock=true memory=true overflow=true
// A jump back over a declaration, inside its block: the variable goes on living at the same address.
#include <assert.h>

int main(void)
{
    int round = 0;
    int *former = 0;
again:;
    int number = round * 10;
    if (former) {
        assert(former == &number);
        assert(*former == round * 10);
    }
    former = &number;
    round++;
    if (round < 3)
        goto again;
    assert(*former == 20);
    return 0;
}
