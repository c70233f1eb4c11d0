// sley: reach=true race=true deadlock=true memory=false overflow=true
// Aligned by hand to 64 bytes with room for 32 only: outside the block for some of its addresses.
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *raw = malloc(8 + 31);
    char *aligned = (char *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    for (int i = 0; i < 8; i++)
        aligned[i] = 0;
    free(raw);
    return 0;
}
