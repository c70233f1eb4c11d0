// sley: reach=true race=true deadlock=true memory=false overflow=true args="--malloc-may-fail"
// Where realloc fails, the old block is still there, and nobody knows it any more.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    p = realloc(p, 2 * sizeof *p);
    free(p);
    return 0;
}
