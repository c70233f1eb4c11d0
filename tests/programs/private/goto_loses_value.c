// sley: reach=false race=true deadlock=true memory=true overflow=true
// A jump back over a declaration loses the value.
#include <assert.h>

static void set(int *place) { *place = 1; }
static int get(const int *place) { return *place; }

int main(void)
{
    int round = 0;
again:;
    int local;
    if (round == 1) {
        assert(get(&local) == 1);
        return 0;
    }
    set(&local);
    round = 1;
    goto again;
}
