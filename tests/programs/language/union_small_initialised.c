// sley: reach=false race=true deadlock=true memory=true overflow=true
// An automatic union whose small member is initialised: nothing says what is in its other bytes.
#include <assert.h>

union number {
    char small;
    long large;
};

int main(void)
{
    union number number = { .small = 1 };
    number.large &= ~255L;
    assert(number.large == 0);
    return 0;
}
