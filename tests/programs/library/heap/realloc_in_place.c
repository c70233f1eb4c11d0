// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A block may grow where it is: the new address can equal the old one.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(1);
    char *new = realloc(old, 2);
    assert(new != old);
    free(new);
    return 0;
}
