// sley: reach=true race=true deadlock=true memory=false overflow=true
// A block is used after it has been freed.
#include <stdlib.h>

int main(void)
{
    int *number = malloc(sizeof(int));
    *number = 1;
    free(number);
    *number = 2;
    return 0;
}
