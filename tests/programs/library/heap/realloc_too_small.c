// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A block that shrinks loses its end.
#include <stdlib.h>

int main(void)
{
    int *block = malloc(4 * sizeof(int));
    block[3] = 1;
    block = realloc(block, 2 * sizeof(int));
    int last = block[2];
    free(block);
    return last;
}
