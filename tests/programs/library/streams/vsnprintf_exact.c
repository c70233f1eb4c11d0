// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What a function of the program's own writes through vsnprintf: flags, widths, precisions, counts.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int make(char *target, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(target, size, format, arguments);
    va_end(arguments);
    return length;
}

int main(void)
{
    char text[40];
    int count;
    assert(make(text, sizeof text, "%+d|%05d|%-4d|%x|%.3d|%c", 3, 42, 7, 255, 5, 'z') == 22);
    assert(strcmp(text, "+3|00042|7   |ff|005|z") == 0);
    assert(make(text, sizeof text, "%5s|%.2s|%%|%ld", "ab", "xyz", -9L) == 13);
    assert(strcmp(text, "   ab|xy|%|-9") == 0);
    assert(make(text, sizeof text, "%*d%n|%-*d|", 4, 1, &count, 3, 2) == 9 && count == 4);
    assert(strcmp(text, "   1|2  |") == 0);
    assert(make(text, 3, "%u%hhu", 4000000000u, 300) == 12);
    assert(strcmp(text, "40") == 0);
    return 0;
}
