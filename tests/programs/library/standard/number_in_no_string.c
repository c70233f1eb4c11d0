// sley: reach=true race=true deadlock=true memory=false overflow=true
// The digits have no end inside of the array.
#include <stdlib.h>

int main(void)
{
    char digits[2] = {'1', '2'};
    return atoi(digits) == 0;
}
