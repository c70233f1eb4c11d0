// sley: reach=true race=true deadlock=true memory=true overflow=true
// A compound literal outside all functions lives for ever.
#include <assert.h>

static int *numbers = (int[]){1, 2};

static int next(void)
{
    numbers[0] += numbers[1];
    return numbers[0];
}

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 2; round++)
        sum += next();
    assert(sum == 8);
    return 0;
}
