// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A block may move when it grows: the old address is not to be used.
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof(int));
    int *new = realloc(old, 2 * sizeof(int));
    *old = 1;
    free(new);
    return 0;
}
