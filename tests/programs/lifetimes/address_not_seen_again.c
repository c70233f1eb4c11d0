// sley: reach=false race=true deadlock=true overflow=true
// As `address_seen_again`, with the opposite guess.
#include <assert.h>

int main(void)
{
    int *former = 0;
    for (int round = 0; round < 2; round++) {
        int number = round;
        if (round == 1)
            assert(former == &number);
        former = &number;
    }
    return 0;
}
