// sley: reach=false race=true deadlock=true memory=true overflow=true
// A swap through pointers that goes wrong when both are the same.
#include <assert.h>

static void swap(int *a, int *b)
{
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}

int main(void)
{
    int numbers[2] = {3, 4};
    swap(&numbers[0], &numbers[1]);
    assert(numbers[0] == 4 && numbers[1] == 3);
    swap(&numbers[1], &numbers[1]);
    assert(numbers[1] == 3);
    return 0;
}
