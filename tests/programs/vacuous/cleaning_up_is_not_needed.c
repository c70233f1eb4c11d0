// sley: reach=true race=true deadlock=true memory=true overflow=true
// What follows the only return of every run cleans up after failures, which are not to be.
#include <stdlib.h>

int main(void) {
    char *first = malloc(4), *second;
    if (!first)
        goto none;
    second = malloc(4);
    if (!second)
        goto one;
    first[0] = second[0] = 1;
    free(second);
    free(first);
    return 0;
one:
    free(first);
none:
    abort();
}
