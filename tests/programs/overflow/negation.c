// sley: reach=true race=true deadlock=true memory=true overflow=false
// The smallest int has no positive counterpart.
#include <limits.h>

int main(void)
{
    int number = INT_MIN;
    number = -number;
    return number == 0;
}
