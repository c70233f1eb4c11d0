// sley: reach=false race=true deadlock=true memory=true overflow=true
// The clock can show anything.
#include <assert.h>
#include <time.h>

int main(void)
{
    assert(time(0) != 1000);
    return 0;
}
