// sley: reach=true race=true deadlock=true memory=true overflow=false division=true
// The smallest int divided by minus one does not fit.
#include <limits.h>

int main(void)
{
    int number = INT_MIN, divisor = -1;
    return number / divisor == 0;
}
