// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Flags, widths and precisions from arguments, and narrow numbers.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[40];
    int count;
    assert(snprintf(text, sizeof text, "%#x %#X %#x %#o %#o", 255u, 255u, 0u, 8u, 0u) == 17);
    assert(strcmp(text, "0xff 0XFF 0 010 0") == 0);
    assert(snprintf(text, sizeof text, "%+d % d %hhx %hd", 5, 6, 0x1ff, 65535) == 11);
    assert(strcmp(text, "+5  6 ff -1") == 0);
    assert(snprintf(text, sizeof text, "%*d|%-*d|%.*d%n", 4, 7, 3, 8, 3, 9, &count) == 12 && count == 12);
    assert(strcmp(text, "   7|8  |009") == 0);
    assert(snprintf(text, sizeof text, "%#010x|%5c|%.0d|", 255u, 'c', 0) == 18);
    assert(strcmp(text, "0x000000ff|    c||") == 0);
    return 0;
}
