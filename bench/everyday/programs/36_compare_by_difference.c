// sley: reach=true race=true deadlock=true memory=true overflow=false
// A comparison for qsort subtracts, and the difference of two temperatures does not fit.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int readings[] = {20, INT_MIN};
    qsort(readings, 2, sizeof readings[0], compare);
    for (int i = 0; i < 2; i++)
        printf("%d\n", readings[i]);
    return 0;
}
