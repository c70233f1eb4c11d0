// sley: reach=true race=true deadlock=true memory=true overflow=true
// A pointer that outlives a round, but is never used before it points to the next one.
#include <assert.h>

static int *kept;

static void add(int *number)
{
    kept = number;
    *kept += 1;
}

int main(void)
{
    int *last = 0;
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        int number = round;
        last = &number;
        add(last);
        sum += *kept + *last;
        if (round == 1)
            continue;
        assert(*last == round + 1);
    }
    assert(sum == 12);
    return 0;
}
