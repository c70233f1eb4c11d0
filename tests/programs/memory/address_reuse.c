// sley: reach=false race=true deadlock=true memory=true overflow=true
// A later block can have the address of a freed one.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(sizeof(int));
    free(first);
    int *second = malloc(sizeof(int));
    int is_other = first != second;
    free(second);
    assert(is_other);
    return 0;
}
