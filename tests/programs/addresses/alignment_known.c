// sley: reach=true race=true deadlock=true memory=true overflow=true
// What a declaration or aligned_alloc promises about an address holds.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

_Alignas(64) char line[3];
long number;
struct { char c; double d; } both;

int main(void)
{
    void *block = aligned_alloc(128, 256), *usual = malloc(3);
    assert((uintptr_t)line % 64 == 0);
    assert((uintptr_t)&number % 8 == 0 && ((uintptr_t)&both & 7) == 0);
    assert((uintptr_t)block % 128 == 0 && (uintptr_t)usual % 16 == 0);
    assert((uintptr_t)&line[5] % 4 == 1);
    free(block);
    free(usual);
    return 0;
}
