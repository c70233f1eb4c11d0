// sley: reach=true race=true deadlock=true memory=false overflow=true
// A block of `alloca` ends with its call; the next call makes another.
#include <alloca.h>

static int *former;

static int call(int number)
{
    int *block = alloca(2 * sizeof(int));
    block[0] = number;
    int sum = former ? former[0] : 0;
    former = block;
    return sum;
}

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 2; round++)
        sum += call(round);
    return sum;
}
