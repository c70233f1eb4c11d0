// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A block that grows keeps its contents; realloc of null is malloc.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *numbers = NULL;
    for (int i = 0; i < 3; i++) {
        numbers = realloc(numbers, (i + 1) * sizeof *numbers);
        numbers[i] = 10 + i;
    }
    assert(numbers[0] == 10 && numbers[1] == 11 && numbers[2] == 12);
    numbers = realloc(numbers, sizeof *numbers);
    assert(numbers[0] == 10);
    free(numbers);
    return 0;
}
