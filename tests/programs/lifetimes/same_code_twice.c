// sley: reach=true race=true deadlock=true memory=true overflow=true
// Variables of a function that is called many times, with pointers into them that stay inside the call.
#include <assert.h>

struct range {
    int *from, *to;
};

static int sum_of(struct range range)
{
    int sum = 0;
    for (int *at = range.from; at != range.to; at++)
        sum += *at;
    return sum;
}

static int sum(int a, int b)
{
    int numbers[2] = {a, b};
    struct range range = {numbers, numbers + 2};
    struct range *pointer = &range;
    return sum_of(*pointer);
}

int main(void)
{
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += sum(i, 1);
    assert(total == 6);
    return 0;
}
