// sley: reach=true race=true deadlock=true memory=true overflow=true args="--malloc-may-fail"
// Where realloc fails, the old block is still there with what it held.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 5;
    int *grown = realloc(p, 2 * sizeof *p);
    if (grown)
        p = grown;
    assert(*p == 5);
    free(p);
    return 0;
}
