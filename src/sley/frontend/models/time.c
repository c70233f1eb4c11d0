// The clock shows anything.
#include "sley.h"

// Both `struct timespec` (the fraction in nanoseconds) and `struct timeval` (in microseconds).
struct clock_value {
    long seconds;
    long fraction;
};

static void any_time(struct clock_value *result, long parts)
{
    long fraction = __sley_nondet_long();
    __sley_assume(0 <= fraction && fraction < parts);
    result->seconds = __sley_nondet_long();
    result->fraction = fraction;
}

long time(long *result)
{
    long now = __sley_nondet_long();
    if (result)
        *result = now;
    return now;
}

long clock(void)
{
    return __sley_nondet_long();
}

// Only the clock that can be set may show anything; what else the others show depends on what they showed.
int clock_gettime(int clock, struct clock_value *result)
{
    enum { CAN_BE_SET = 0 };
    if (clock == CAN_BE_SET) {
        any_time(result, 1000000000);
        return 0;
    }
    long fraction = __sley_unknown_long("clock_gettime");
    __sley_assume(0 <= fraction && fraction < 1000000000);
    result->seconds = __sley_unknown_long("clock_gettime");
    result->fraction = fraction;
    return 0;
}

int clock_getres(int clock, struct clock_value *result)
{
    if (result)
        any_time(result, 1000000000);
    return 0;
}

int gettimeofday(struct clock_value *result, void *zone)
{
    any_time(result, 1000000);
    return 0;
}

int nanosleep(const struct clock_value *duration, struct clock_value *remainder)
{
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct clock_value *duration, struct clock_value *remainder)
{
    return 0;
}

int timespec_get(struct clock_value *result, int base)
{
    enum { UTC = 1 };
    if (base != UTC)
        return 0;
    any_time(result, 1000000000);
    return base;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}
