// sley: reach=true race=true deadlock=true memory=false overflow=true
// Only the start of a block can be freed.
#include <stdlib.h>

int main(void)
{
    int *numbers = calloc(4, sizeof(int));
    numbers++;
    free(numbers);
    return 0;
}
