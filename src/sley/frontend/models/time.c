// The clock shows anything.
#include "sley.h"

// Both `struct timespec` (the fraction in nanoseconds) and `struct timeval` (in microseconds).
struct sley_time {
    long seconds;
    long fraction;
};

static void any_time(struct sley_time *result, long parts)
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

int clock_gettime(int clock, struct sley_time *result)
{
    any_time(result, 1000000000);
    return 0;
}

int gettimeofday(struct sley_time *result, void *zone)
{
    any_time(result, 1000000);
    return 0;
}

int nanosleep(const struct sley_time *duration, struct sley_time *remainder)
{
    return 0;
}
