// The clock shows any time that computers live to see.
#include "sley.h"

// Both `struct timespec` (the fraction in nanoseconds) and `struct timeval` (in microseconds).
struct clock_value {
    long seconds;
    long fraction;
};

enum { MICROSECONDS = 1000000, NANOSECONDS = 1000000000 };

// Seconds since 1970, so that sums with a time span fit into every type that holds them.
static void assume_plausible(long seconds)
{
    __sley_rely_on("the clock shows a time between 1970 and 2037");
    __sley_assume(0 <= seconds && seconds < SLEY_LATEST_TIME);
}

static void set(struct clock_value *result, long seconds, long fraction, long parts)
{
    assume_plausible(seconds);
    __sley_assume(0 <= fraction && fraction < parts);
    result->seconds = seconds;
    result->fraction = fraction;
}

long time(long *result)
{
    long now = __sley_nondet_long();
    assume_plausible(now);
    if (result)
        *result = now;
    return now;
}

// Processor time in microseconds.
long clock(void)
{
    long used = __sley_nondet_long();
    __sley_assume(0 <= used && used < SLEY_LATEST_TIME);
    return used;
}

// Only the clock that can be set may show anything; what else the others show depends on what they showed.
int clock_gettime(int clock, struct clock_value *result)
{
    enum { CAN_BE_SET = 0 };
    if (clock == CAN_BE_SET)
        set(result, __sley_nondet_long(), __sley_nondet_long(), NANOSECONDS);
    else
        set(result, __sley_unknown_long("clock_gettime"), __sley_unknown_long("clock_gettime"), NANOSECONDS);
    return 0;
}

int clock_getres(int clock, struct clock_value *result)
{
    if (result)
        set(result, __sley_nondet_long(), __sley_nondet_long(), NANOSECONDS);
    return 0;
}

int gettimeofday(struct clock_value *result, void *zone)
{
    set(result, __sley_nondet_long(), __sley_nondet_long(), MICROSECONDS);
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
    set(result, __sley_nondet_long(), __sley_nondet_long(), NANOSECONDS);
    return base;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}
