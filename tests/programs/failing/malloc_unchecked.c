// sley: reach=true race=true deadlock=true memory=false overflow=true args="--malloc-may-fail"
// A block that may not be there is used.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
