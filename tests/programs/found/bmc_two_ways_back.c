// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two ways lead back to the head of a loop that touches no memory; one of them was lost, and with it all that follows.
#include <assert.h>

int shared = 42;

int main(void)
{
    int number = shared, digits = 0;
    while (number > 0) {
        int digit = number % 10;
        number = number / 10;
        if (digit == 2)
            continue;
        digits = digits + 1;
    }
    assert(digits != 1);
    return 0;
}
