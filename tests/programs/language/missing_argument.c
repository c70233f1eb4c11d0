// sley: reach=true race=true deadlock=true memory=false overflow=true
// A function reads one more variable argument than it was given.
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int result = 0;
    for (int i = 0; i <= count; i++)
        result = result + va_arg(list, int) > 0;
    va_end(list);
    return result;
}

int main(void)
{
    return sum(2, 1, 2);
}
