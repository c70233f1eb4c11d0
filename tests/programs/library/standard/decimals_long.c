// sley: reach=true race=true deadlock=true memory=true overflow=true
// A decimal number of many digits is near to what they say.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    double number = strtod("0.1234567890123456789012", 0);
    assert(0.12345678901234 < number && number < 0.12345678901235);
    return 0;
}
