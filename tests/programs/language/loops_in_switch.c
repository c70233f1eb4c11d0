// sley: reach=true race=true deadlock=true memory=true overflow=true
// A switch into the middle of a loop; sizeof does not evaluate; _Bool counts to one.
#include <assert.h>

int main(void)
{
    int left = 7, copied = 0;
    switch (left % 4) {
    case 0:
        do {
            copied++;
    case 3:
            copied++;
    case 2:
            copied++;
    case 1:
            copied++;
        } while ((left -= 4) > 0);
    }
    assert(copied == 7);
    int number = 1;
    int size = sizeof(number++);
    assert(number == 1 && size == 4);
    _Bool truth = 5;
    truth++;
    assert(truth == 1);
    truth--;
    assert(truth == 0);
    truth = &number;
    assert(truth);
    return 0;
}
