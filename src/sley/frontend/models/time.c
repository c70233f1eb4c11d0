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
    if (clock == CAN_BE_SET) {
        set_any(result, NANOSECONDS);
        return 0;
    }
    long seconds = __sley_unknown_long("clock_gettime");
    long fraction = __sley_unknown_long("clock_gettime");
    set(result, seconds, fraction, NANOSECONDS);
    return 0;
}

int clock_getres(int clock, struct clock_value *result)
{
    if (result)
        set_any(result, NANOSECONDS);
    return 0;
}

int gettimeofday(struct clock_value *result, void *zone)
{
    set_any(result, MICROSECONDS);
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
    set_any(result, NANOSECONDS);
    return base;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

// --- calendar time ----------------------------------------------------------------------------------
// Which day it is, is not computed; all numbers are in their ranges.

struct tm {
    int second, minute, hour, day, month, year, day_of_week, day_of_year, is_summer;
    long offset;
    const char *zone;
};

static int between(int value, int least, int most)
{
    __sley_assume(least <= value && value <= most);
    return value;
}

static struct tm *break_down(const long *time, struct tm *result)
{
    long seconds = *time;
    result->zone = "";                        // first, so that a race does not rest on what is not computed
    result->second = between(__sley_unknown_int("localtime"), 0, 60);
    result->minute = between(__sley_unknown_int("localtime"), 0, 59);
    result->hour = between(__sley_unknown_int("localtime"), 0, 23);
    result->day = between(__sley_unknown_int("localtime"), 1, 31);
    result->month = between(__sley_unknown_int("localtime"), 0, 11);
    result->year = between(__sley_unknown_int("localtime"), -1900, 8099);
    result->day_of_week = between(__sley_unknown_int("localtime"), 0, 6);
    result->day_of_year = between(__sley_unknown_int("localtime"), 0, 365);
    result->is_summer = between(__sley_unknown_int("localtime"), -1, 1);
    long offset = __sley_unknown_long("localtime");
    __sley_assume(-86400 <= offset && offset <= 86400);
    result->offset = offset;
    return result;
}

struct tm *localtime_r(const long *time, struct tm *result)
{
    return break_down(time, result);
}

struct tm *gmtime_r(const long *time, struct tm *result)
{
    return break_down(time, result);
}

// One object for all calls, accessed plainly: concurrent calls race.
static struct tm sley_broken_down;
static char sley_written_time[26];

struct tm *localtime(const long *time)
{
    return break_down(time, &sley_broken_down);
}

struct tm *gmtime(const long *time)
{
    return break_down(time, &sley_broken_down);
}

long mktime(struct tm *time)
{
    long seconds = __sley_unknown_long("mktime");
    __sley_assume(-1 <= seconds && seconds < SLEY_LATEST_TIME);
    break_down(&seconds, time);
    return seconds;
}

// Twenty-four characters, the end of the line and a zero (C11 7.27.3.1p2).
static char *write_time(char *target)
{
    enum { LENGTH = 24 };
    for (int i = 0; i < LENGTH; i++) {
        char character = __sley_unknown_char("ctime");
        __sley_assume(character != 0);
        target[i] = character;
    }
    target[LENGTH] = '\n';
    target[LENGTH + 1] = 0;
    return target;
}

char *asctime_r(const struct tm *time, char *target)
{
    int year = time->year;
    return write_time(target);
}

char *asctime(const struct tm *time)
{
    return asctime_r(time, sley_written_time);
}

char *ctime_r(const long *time, char *target)
{
    long seconds = *time;
    return write_time(target);
}

char *ctime(const long *time)
{
    return ctime_r(time, sley_written_time);
}

sley_size strlen(const char *text);

// How much is written without the zero; 0 if it does not fit, and then nobody knows what is there.
sley_size strftime(char *target, sley_size size, const char *format, const struct tm *time)
{
    int year = time->year;
    strlen(format);
    sley_size at = 0;
    for (; at + 1 < size && __sley_unknown_bool("strftime"); at++) {
        char character = __sley_unknown_char("strftime");
        __sley_assume(character != 0);
        target[at] = character;
    }
    if (size && __sley_unknown_bool("strftime")) {
        target[at] = 0;
        return at;
    }
    return 0;
}
