// sley: reach=true race=true deadlock=true memory=false overflow=true
// The only pointer to a block is overwritten.
#include <stdlib.h>

int *number;

int main(void)
{
    number = malloc(sizeof(int));
    number = malloc(sizeof(int));
    free(number);
    return 0;
}
