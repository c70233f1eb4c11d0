// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What snprintf writes and returns, for integers, characters and strings; what does not fit is cut off.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[16];
    assert(sprintf(text, "no. %d of %u%%", -12, 34u) == 14 && strcmp(text, "no. -12 of 34%") == 0);
    assert(snprintf(text, sizeof text, "%s/%c", "dir", 'x') == 5 && strcmp(text, "dir/x") == 0);
    assert(snprintf(text, 4, "%ld", 123456L) == 6 && strcmp(text, "123") == 0);
    assert(snprintf(text, sizeof text, "%04x|%-3d|%3d", 0xabu, 1, 2) == 12 && strcmp(text, "00ab|1  |  2") == 0);
    assert(snprintf(text, sizeof text, "%.2s|%5s", "abc", "de") == 8 && strcmp(text, "ab|   de") == 0);
    assert(snprintf(NULL, 0, "%llu", 18446744073709551615ULL) == 20);
    return 0;
}
