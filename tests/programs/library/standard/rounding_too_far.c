// sley: reach=true race=true deadlock=true memory=true overflow=true
// What `lround` returns of a number that no `long` holds is unspecified, and no overflow (C11 7.12.9.7).
#include <math.h>

int main(void)
{
    volatile double x = 1e30;
    long rounded = lround(x) / 2 + lrint(x) / 2;
    return rounded == 1;
}
