// sley: reach=true race=true deadlock=true memory=true overflow=true
// A jump back over a declaration makes no new variable: the old address is still good.
#include <assert.h>

int main(void)
{
    int round = 0;
    int *kept = 0;
again:;
    int local;
    if (round == 1) {
        *kept = 2;
        assert(local == 2);
        return 0;
    }
    kept = &local;
    round = 1;
    goto again;
}
