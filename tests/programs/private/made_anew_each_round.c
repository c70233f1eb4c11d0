// sley: reach=false race=true deadlock=true memory=true overflow=true
// What a local held in the last round is lost: each round has a new one.
#include <assert.h>

static void set(int *place) { *place = 1; }
static int get(const int *place) { return *place; }

int main(void)
{
    for (int round = 0; round < 2; round++) {
        int local;
        if (round == 0)
            set(&local);
        else
            assert(get(&local) == 1);
    }
}
