// sley: reach=true race=true deadlock=true memory=false overflow=true
// The format asks for more arguments than there are (C11 7.16.1.1p2).
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(void)
{
    report("%d %d", 1);
    return 0;
}
