// sley: reach=true race=true deadlock=true memory=true overflow=true
// A block with room to spare, aligned by hand to 64 bytes: inside the block wherever it begins.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *raw = malloc(8 + 63);
    char *aligned = (char *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    for (int i = 0; i < 8; i++)
        aligned[i] = 0;
    assert(aligned >= raw && aligned - raw < 64);
    free(raw);
    return 0;
}
