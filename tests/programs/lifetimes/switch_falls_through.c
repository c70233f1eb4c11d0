// sley: reach=true race=true deadlock=true memory=true overflow=true
// Inside the body of a `switch` a variable lives through all cases.
#include <assert.h>

int main(void)
{
    for (int round = 0; round < 3; round++) {
        int *last = 0;
        switch (round) {
            int number;
        case 0:
            number = 4;
            last = &number;
        case 1:
            number = 5;
            assert(!last || *last == 5);
            break;
        default:
            number = 6;
            last = &number;
            assert(*last == 6);
        }
    }
    return 0;
}
