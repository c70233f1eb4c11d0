// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// memcpy between parts of an array that overlap is undefined (C11 7.24.2.1p2).
#include <string.h>

static int numbers[6];

int main(void)
{
    int *first = numbers;
    memcpy(first, first + 2, 3 * sizeof *first);
    return numbers[0];
}
