// sley: reach=false race=true deadlock=true memory=true overflow=true
// A store to the small member of a union leaves the bytes of the large one that it does not cover unspecified (C11 6.2.6.1p7).
#include <assert.h>

union number {
    char small;
    long large;
};

int main(void)
{
    union number number;
    number.large = 0x1122;
    number.small = 1;
    assert(number.large == 0x1101);
    return 0;
}
