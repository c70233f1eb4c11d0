// sley: reach=true race=true deadlock=true memory=false overflow=true
// A block is freed by name and once more through a pointer to `free`.
#include <stdlib.h>

static void dispose(void *block, void (*how)(void *)) { how(block); }

int main(void)
{
    int *block = malloc(sizeof(int));
    *block = 1;
    dispose(block, free);
    free(block);
    return 0;
}
