// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two threads sum what they are handed as variable arguments, of several types, through lists, copies and pointers.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

struct pair {
    int first;
    long second;
};

static int last;

static int sum(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int result = 0;
    for (int i = 0; i < count; i++)
        result += va_arg(list, int);
    if (count > 0)
        result += va_arg(again, int);
    va_end(again);
    va_end(list);
    return result;
}

static long rest(va_list list)
{
    long number = va_arg(list, long);
    return number + (long)va_arg(list, double);
}

static long mixed(const char *text, ...)
{
    va_list list;
    va_start(list, text);
    struct pair pair = va_arg(list, struct pair);
    char *name = va_arg(list, char *);
    long result = pair.first + pair.second + name[0] - text[0] + rest(list);
    va_end(list);
    return result;
}

static void *worker(void *unused)
{
    char small = 2;
    assert(sum(3, 1, small, 3) == 7);
    last = sum(0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct pair pair = { 3, 4 };
    float half = 2.5f;
    int (*pointer)(int, ...) = sum;
    pthread_create(&thread, NULL, worker, NULL);
    assert(pointer(2, 4, 5) == 13);
    assert(mixed("a", pair, "c", 10L, half) == 21);
    last = 1;
    pthread_join(thread, NULL);
    return 0;
}
