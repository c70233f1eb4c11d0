// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A function of the program's own passes on a format with one argument less than it asks for.
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

int main(void)
{
    report("%d of %d\n", 3);
    return 0;
}
