// sley: reach=false race=true deadlock=true memory=true overflow=true
// The root of a negative number may set `errno`, and does on Linux (C11 7.12.1).
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void)
{
    volatile double x = -1;
    errno = 0;
    double y = sqrt(x);
    assert(errno == 0);
    return y > 0;
}
