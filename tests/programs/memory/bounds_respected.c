// sley: reach=true race=true deadlock=true memory=true overflow=true
// First and last element are in bounds; one past the end may be named and compared, not used.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(3 * sizeof(int));
    int *end = numbers + 3;
    int count = 0;
    for (int *p = numbers; p != end; p++)
        *p = count++;
    assert(numbers[0] == 0 && numbers[2] == 2);
    assert(end - numbers == 3 && end > numbers);
    free(numbers);
    return 0;
}
