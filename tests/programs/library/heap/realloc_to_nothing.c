// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// realloc with size 0 frees the block, and returns null or another one (C11 7.22.3p1).
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *block = malloc(sizeof(int));
    block = realloc(block, 0);
    assert(block == NULL);
    return 0;
}
