// sley: reach=true race=true deadlock=true memory=true overflow=false
// A root is looked for between two bounds whose sum does not fit an int.
#include <stdio.h>

static int root(int number)
{
    int low = 0, high = number;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (middle <= number / middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int main(void)
{
    printf("%d\n", root(144));
    printf("%d\n", root(2000000000));
    printf("%d\n", root(2147483647));
    return 0;
}
