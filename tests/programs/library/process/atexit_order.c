// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// When main returns, the handlers of atexit run, the latest first, and with them those that a handler adds.
#include <assert.h>
#include <stdlib.h>

int order;

void first(void)
{
    assert(order == 231);
}

void added(void)
{
    order = 10 * order + 1;
}

void second(void)
{
    order = 10 * order + 3;
    atexit(added);
}

void third(void)
{
    order = 2;
}

int main(void)
{
    atexit(first);
    atexit(second);
    assert(atexit(third) == 0);
    return 0;
}
