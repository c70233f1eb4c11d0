// sley: reach=true race=true deadlock=true memory=true overflow=false args="--data-model ILP32"
// With ILP32 a long has 32 bits.
#include <assert.h>

int main(void)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    long number = 2147483647;
    number = number + 1;
    return 0;
}
