// sley: reach=true race=true deadlock=true memory=true overflow=true
// Jumps into blocks and loops: variables of the block live, but were not initialised.
#include <assert.h>

static int collect(int from_outside)
{
    int total = 0;
    if (from_outside)
        goto inside;
    for (int i = 0; i < 3; i++) {
        int value;
        value = 10;
        total += value;
        if (total > 25)
            break;
        continue;
inside:
        i = 1;
        value = 1;
        total += value;
    }
    return total;
}

static int twice(void)
{
    int rounds = 0;
again: {
        int kept = rounds;
        rounds = kept + 1;
        if (rounds < 2)
            goto again;
    }
    return rounds;
}

int main(void)
{
    assert(collect(0) == 30);
    assert(collect(1) == 11);
    assert(twice() == 2);
    return 0;
}
