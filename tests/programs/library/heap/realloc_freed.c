// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A block that is freed already cannot grow.
#include <stdlib.h>

int main(void)
{
    int *block = malloc(sizeof(int));
    free(block);
    block = realloc(block, 8);
    free(block);
    return 0;
}
