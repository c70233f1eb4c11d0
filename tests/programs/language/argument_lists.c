// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lists of arguments that are passed on: copied there, not looked at, or stepped through a pointer.
#include <assert.h>
#include <stdarg.h>

struct source {
    va_list list;
};

static int sum(int count, va_list list)
{
    va_list copy;
    int result = 0;
    va_copy(copy, list);
    for (int i = 0; i < count; i++)
        result += va_arg(copy, int);
    va_end(copy);
    return result;
}

static int first(va_list list)
{
    return va_arg(list, int);
}

static int maybe_first(int is_asked, va_list list)
{
    return is_asked ? first(list) : 0;
}

static int next(va_list *list)
{
    return va_arg(*list, int);
}

static int twice(int count, ...)
{
    va_list list;
    va_start(list, count);
    int result = sum(count, list) + sum(count, list);
    va_end(list);
    return result;
}

static int digits(int (*last)(va_list), ...)
{
    va_list list;
    va_start(list, last);
    int result = next(&list);
    result = 10 * result + next(&list);
    result += maybe_first(0, list) + maybe_first(0, list);
    result = 10 * result + last(list);
    va_end(list);
    return result;
}

static int from_member(int count, ...)
{
    struct source source;
    va_start(source.list, count);
    int result = next(&source.list);
    va_end(source.list);
    return result;
}

int main(void)
{
    assert(twice(3, 1, 2, 3) == 12);
    assert(digits(first, 4, 5, 6) == 456);
    assert(from_member(1, 7) == 7);
    return 0;
}
