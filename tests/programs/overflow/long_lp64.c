// sley: reach=true race=true deadlock=true memory=true overflow=true
// With LP64 a long has 64 bits.
#include <assert.h>

int main(void)
{
    assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(int) == 4);
    long number = 2147483647;
    number = number + 1;
    assert(number > 0);
    return 0;
}
