// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A function of the program's own reads a text through vsscanf.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static int parse(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

int main(void)
{
    int major, minor = 3;
    char tag[4];
    assert(parse("v2.17-rc1", "v%d.%d-%3[^0-9]", &major, &minor, tag) == 3);
    assert(major == 2 && minor == 17 && tag[1] == 'c' && tag[2] == 0);
    assert(parse("v2", "v%d.%d", &major, &minor) == 1 && minor == 17);
    return 0;
}
