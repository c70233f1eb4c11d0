// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Texts for numbers that are none, or infinite, and texts without a number.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

static double read(const char *text, int length)
{
    char *end;
    double number = strtod(text, &end);
    assert(end == text + length);
    return number;
}

int main(void)
{
    assert(read("infinite", 3) == INFINITY && read("-INFINITY", 9) == -INFINITY);
    assert(isnan(read("nan(1)", 6)) && isnan(read("NaN(", 3)));
    assert(read("x", 0) == 0 && read("-", 0) == 0 && read(".e1", 0) == 0 && signbit(read("-0", 2)));
    return 0;
}
