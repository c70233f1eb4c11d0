// sley: reach=true race=true deadlock=true memory=true overflow=true
// A function with any number of arguments hands its list on by address, to a helper that takes from it.
#include <assert.h>
#include <stdarg.h>

static int next(va_list *list)
{
    return va_arg(*list, int);
}

static long total(int count, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum += next(&list);
    va_end(list);
    return sum;
}

static int largest(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int best = next(&list);
    for (int i = 1; i < count; i++) {
        int one = next(&list);
        if (one > best)
            best = one;
    }
    assert(next(&again) <= best);
    va_end(again);
    va_end(list);
    return best;
}

int main(void)
{
    assert(total(0) == 0);
    assert(total(3, 1, -2, 30) == 29);
    assert(largest(4, 3, 9, -1, 7) == 9);
    return 0;
}
