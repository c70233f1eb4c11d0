// sley: reach=true race=true deadlock=true memory=true overflow=true
// Values of `long double` that `double` has too: in globals, structs, arrays, calls and variable arguments.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

struct sample {
    char tag;
    long double value;
};

static long double half = 0.5L;
static struct sample sample = { 'a', 2.5L };
static long double results[2];

static long double next(int count, ...)
{
    va_list list;
    va_start(list, count);
    long double value = va_arg(list, long double);
    value += va_arg(list, int);
    va_end(list);
    return value;
}

static void *worker(void *unused)
{
    results[1] = sample.value * 2 + half;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    results[0] = next(2, sample.value, 4);
    pthread_join(thread, NULL);
    assert(results[0] == 6.5 && results[1] == 5.5);
    float narrow = results[0];
    assert((int)narrow == 6 && (long)(results[1] - half) == 5);
    assert(sizeof(results) == 2 * sizeof(long double));
    return 0;
}
