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

// Arguments have no order: a compiled program would take the two values the other way round.
static void set_any(struct clock_value *result, long parts)
{
    long seconds = __sley_nondet_long();
    long fraction = __sley_nondet_long();
    set(result, seconds, fraction, parts);
}

long time(long *result)
{
    long now = __sley_nondet_long();
    assume_plausible(now);
    if (result)
        *result = now;
    return now;
}

// Processor time in microseconds; -1 where it is not known (C11 7.27.2.1p3). In each thread it grows.
long clock(void)
{
    static _Thread_local long sley_used;
    if (__sley_nondet_bool())
        return -1;
    long used = __sley_unknown_long("clock");
    __sley_assume(sley_used <= used && used < SLEY_LATEST_TIME);
    sley_used = used;
    return used;
}

enum { SETTABLE = 0, MONOTONIC = 1, OF_THREAD = 3, CLOCKS = 12, NONE = 10, OF_ALARM = 8, ALSO_OF_ALARM = 9 };

// Those below zero are of processes and threads; alarms need a device.
static _Bool is_clock(int clock)
{
    if (clock < 0 || clock == OF_ALARM || clock == ALSO_OF_ALARM)
        return __sley_unknown_bool("clock_gettime");
    return clock < CLOCKS && clock != NONE;
}

// What such a clock shows depends on what it showed, and never gets less in a thread.
static void set_later(struct clock_value *result, struct clock_value *last)
{
    long seconds = __sley_unknown_long("clock_gettime");
    long fraction = __sley_unknown_long("clock_gettime");
    __sley_assume(last->seconds < seconds || (last->seconds == seconds && last->fraction <= fraction));
    set(result, seconds, fraction, NANOSECONDS);
    last->seconds = seconds;
    last->fraction = fraction;
}

// Only the clock that can be set may show anything.
int clock_gettime(int clock, struct clock_value *result)
{
    static _Thread_local struct clock_value sley_monotonic;
    static const struct clock_value begin;
    if (!is_clock(clock))
        return sley_fails_with(SLEY_EINVAL);
    if (clock == SETTABLE) {
        set_any(result, NANOSECONDS);
    } else if (clock == MONOTONIC) {
        set_later(result, &sley_monotonic);
    } else {
        struct clock_value last = begin;
        set_later(result, &last);
    }
    return 0;
}

// The same always, but not known.
int clock_getres(int clock, struct clock_value *result)
{
    if (!is_clock(clock))
        return sley_fails_with(SLEY_EINVAL);
    if (result) {
        struct clock_value last = {0, 0};
        set_later(result, &last);
    }
    return 0;
}

int gettimeofday(struct clock_value *result, void *zone)
{
    set_any(result, MICROSECONDS);
    return 0;
}

static _Bool is_duration(const struct clock_value *duration)
{
    long seconds = duration->seconds, fraction = duration->fraction;
    return seconds >= 0 && 0 <= fraction && fraction < NANOSECONDS;
}

// Only the handler of a signal interrupts it, and where there is one, runs in which it comes are given up on.
int nanosleep(const struct clock_value *duration, struct clock_value *remainder)
{
    return is_duration(duration) ? 0 : sley_fails_with(SLEY_EINVAL);
}

int clock_nanosleep(int clock, int flags, const struct clock_value *duration, struct clock_value *remainder)
{
    _Bool is_valid = is_duration(duration);
    return is_valid && clock != OF_THREAD && is_clock(clock) ? 0 : SLEY_EINVAL;
}

int timespec_get(struct clock_value *result, int base)
{
    enum { UTC = 1 };
    if (base != UTC)
        return 0;
    set_any(result, NANOSECONDS);
    return base;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

