// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A known double is written as it is, rounded to the nearest, and where two are as near to the even digit.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[32];
    assert(snprintf(text, sizeof text, "%g", 0.1) == 3 && strcmp(text, "0.1") == 0);
    assert(snprintf(text, sizeof text, "%.1f|%.0f|%5.2f", 0.25, 2.5, -1.005) == 11);
    assert(strcmp(text, "0.2|2|-1.00") == 0);
    assert(snprintf(text, 5, "%+e", 123456.0) == 13 && strcmp(text, "+1.2") == 0);
    return 0;
}
