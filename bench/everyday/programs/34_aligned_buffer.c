// sley: reach=true race=true deadlock=true memory=true overflow=true
// A buffer for vectors, aligned to 64 bytes.
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, 32 * sizeof(float)) != 0)
        return 1;
    float *vector = memory;
    assert(((uintptr_t)vector & 63) == 0);
    for (int i = 0; i < 32; i++)
        vector[i] = (float)i / 2;
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += vector[i];
    assert(sum == 248.0f);
    free(memory);
    return 0;
}
