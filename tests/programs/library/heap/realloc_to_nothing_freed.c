// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Whatever realloc with size 0 returns can be freed.
#include <stdlib.h>

int main(void)
{
    int *block = malloc(sizeof(int));
    block = realloc(block, 0);
    free(block);
    return 0;
}
