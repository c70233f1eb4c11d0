// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// As in glibc, realloc with size 0 frees the block.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *block = malloc(sizeof(int));
    block = realloc(block, 0);
    assert(block == NULL);
    return 0;
}
