// sley: reach=false race=true deadlock=true memory=true overflow=true
// A fresh block holds anything.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned char *byte = malloc(1);
    unsigned char seen = *byte;
    free(byte);
    assert(seen == 0);
    return 0;
}
