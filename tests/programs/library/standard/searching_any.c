// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Which of two equal elements is found, nobody knows.
#include <assert.h>
#include <stdlib.h>

int by_number(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

int main(void)
{
    int numbers[] = {1, 2, 2}, key = 2;
    assert(bsearch(&key, numbers, 3, sizeof *numbers, by_number) == &numbers[1]);
    return 0;
}
