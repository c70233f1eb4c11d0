// sley: reach=false race=true deadlock=true memory=true overflow=true
// Processor time may not be known: then `clock` returns -1 (C11 7.27.2.1p3).
#include <assert.h>
#include <time.h>

int main(void)
{
    assert(clock() >= 0);
    return 0;
}
