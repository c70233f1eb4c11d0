// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A function of the program's own prints a number and a string that is freed.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(void)
{
    char *name = malloc(2);
    name[0] = 'a';
    name[1] = 0;
    free(name);
    report("%d: %s", 1, name);
    return 0;
}
