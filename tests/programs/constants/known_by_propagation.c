// sley: reach=false race=true deadlock=true memory=true overflow=false
// Operands that are known only after looking around: as if they were written there.
#include <assert.h>

static int doubled(int number)
{
    return number * 2;
}

int main(void)
{
    const int large = 1 << 30;
    int twice = doubled(large);
    int places = 0;
    while (places < 33)
        places += 11;
    assert(twice > 0);
    return places;
}
