// sley: reach=false race=true deadlock=true memory=true overflow=true
// Nobody knows that an object does not lie at some number.
#include <assert.h>
#include <stdint.h>

int x;

int main(void)
{
    unsigned long guess = 0x555555558000UL;
    assert((uintptr_t)&x != guess);
    return 0;
}
