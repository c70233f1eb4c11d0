// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// An assertion in a handler fails although main has returned.
#include <assert.h>
#include <stdlib.h>

int count;

void handler(void)
{
    assert(count == 0);
}

int main(void)
{
    atexit(handler);
    count = 1;
    return 0;
}
