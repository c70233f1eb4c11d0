// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// calloc of no elements can return null, or not.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *none = calloc(0, 8);
    int is_null = none == 0;
    free(none);
    assert(is_null);
    return 0;
}
