// sley: reach=false race=true deadlock=true overflow=true
// A variable of a call need not live where that of the call before lived.
#include <assert.h>

static int *first;

static void begin(void)
{
    int mine[2] = {0, 1};
    first = &mine[1];
}

static void go_on(void)
{
    int mine[2] = {2, 3};
    assert(first == &mine[1]);
}

int main(void)
{
    begin();
    go_on();
    return 0;
}
