// sley: reach=true race=true deadlock=true memory=true overflow=true
// A product that does not fit, and a size that no object has, are refused.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    size_t count = SIZE_MAX / 2;
    errno = 0;
    int *table = calloc(count, sizeof *table);
    assert(!table && errno == ENOMEM);
    char *block = malloc(SIZE_MAX);
    assert(!block);
    table = calloc(3, sizeof *table);
    assert(table && table[2] == 0);
    free(table);
    return 0;
}
