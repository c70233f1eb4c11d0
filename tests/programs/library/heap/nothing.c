// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A block without bytes is null or something that can be freed (C11 7.22.3p1).
#include <stdlib.h>

int main(void)
{
    size_t count = 0;
    char *one = malloc(count);
    char *other = calloc(0, 4);
    free(one);
    free(other);
    return 0;
}
