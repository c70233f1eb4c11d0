// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Elements that compare equal end up in any order.
#include <assert.h>
#include <stdlib.h>

int by_half(const void *one, const void *other)
{
    return *(const int *)one / 2 - *(const int *)other / 2;
}

int main(void)
{
    int numbers[] = {2, 3, 0};
    qsort(numbers, 3, sizeof *numbers, by_half);
    assert(numbers[1] == 2);
    return 0;
}
