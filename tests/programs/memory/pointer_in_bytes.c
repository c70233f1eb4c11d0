// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Bytes hold the only pointer to a block that is gone: the next block may lie there, or elsewhere.
#include <assert.h>
#include <stdlib.h>

static _Alignas(int *) char bytes[sizeof(int *)];

int main(void)
{
    *(int **)bytes = malloc(sizeof(int));
    free(*(int **)bytes);
    int *next = malloc(sizeof(int));
    int is_same = next == *(int **)bytes;
    free(next);
    assert(is_same);
    return 0;
}
