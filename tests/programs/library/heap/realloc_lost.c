// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Whoever forgets the result of realloc leaks the new block.
#include <stdlib.h>

int main(void)
{
    int *block = malloc(sizeof(int));
    realloc(block, 8);
    return 0;
}
