// sley: reach=false race=true deadlock=true overflow=true
// The address of a variable of the former round may be that of this round's or not: nobody knows.
#include <assert.h>

int main(void)
{
    int *former = 0;
    for (int round = 0; round < 2; round++) {
        int number = round;
        if (round == 1)
            assert(former != &number);
        former = &number;
    }
    return 0;
}
