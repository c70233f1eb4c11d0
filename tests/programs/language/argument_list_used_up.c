// sley: reach=true race=true deadlock=true memory=false overflow=true
// A list from which a function two calls away has taken an argument is indeterminate (C11 7.16p3).
#include <stdarg.h>

static int first(va_list list)
{
    return va_arg(list, int);
}

static int passed_on(va_list list)
{
    return first(list);
}

static int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int result = passed_on(list);
    result += va_arg(list, int);
    va_end(list);
    return result;
}

int main(void)
{
    return sum(2, 1, 2);
}
