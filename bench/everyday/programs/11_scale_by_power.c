// sley: reach=true race=true deadlock=true memory=true overflow=false
// A price is scaled by a power of ten in int, where three billions do not fit.
#include <math.h>
#include <stdio.h>

static int scaled(int amount, int digits)
{
    int factor = (int)(pow(10.0, digits) + 0.5);
    return amount * factor;
}

int main(void)
{
    for (int digits = 0; digits < 10; digits++)
        printf("%d\n", scaled(3, digits));
    return 0;
}
