// sley: reach=false race=true deadlock=true memory=true overflow=true
// The address of a char may be odd: its low bit is not free.
#include <assert.h>
#include <stdint.h>

char letters[2] = "a";

int main(void)
{
    uintptr_t word = (uintptr_t)letters | 1;
    assert((char *)word != letters);
    return 0;
}
