// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Decimal numbers in texts: which number it is, where it ends, and what is too large.
#include <assert.h>
#include <errno.h>
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
    assert(read("1.5x", 3) == 1.5);
    assert(read("  -0.001e2", 10) == -0.1);
    assert(read("3.14159", 7) == 3.14159);
    assert(read("1e22", 4) == 1e22 && read("5e-1", 4) == 0.5);
    assert(read("7e+", 1) == 7 && read(".5.", 2) == 0.5 && read("5.", 2) == 5);
    assert(read("1.50000000000000000000000000", 28) == 1.5);
    assert(read("0x1.8p1", 7) == 3 && read("0xg", 1) == 0);
    assert(strtof("0.1", 0) == 0.1f && atof("2") == 2.0);
    errno = 0;
    assert(read("1e999", 5) == HUGE_VAL && errno == ERANGE);
    return 0;
}
