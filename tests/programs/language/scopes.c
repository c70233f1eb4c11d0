// sley: reach=true race=true deadlock=true memory=true overflow=true
// Inner declarations hide outer ones; each time round a loop a local begins anew.
#include <assert.h>

int value = 1;

int main(void)
{
    assert(value == 1);
    int value = 2;
    {
        int value = 3;
        assert(value == 3);
        {
            extern int value;
            assert(value == 1);
        }
    }
    assert(value == 2);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int fresh = 5;
        int *alias = &fresh;
        *alias += i;
        sum += fresh;
    }
    assert(sum == 18);
    return 0;
}
