// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A block without bytes has no byte.
#include <stdlib.h>

int main(void)
{
    char *none = malloc(0);
    if (none)
        none[0] = 1;
    free(none);
    return 0;
}
