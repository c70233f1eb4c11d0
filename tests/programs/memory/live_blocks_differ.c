// sley: reach=true race=true deadlock=true memory=true overflow=true
// Blocks that live at the same time never have the same address.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(sizeof(int));
    int *second = malloc(sizeof(int));
    assert(first != second && first != NULL && second != NULL);
    free(first);
    free(second);
    return 0;
}
