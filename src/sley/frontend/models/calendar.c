// Calendar time. Which day it is, is not computed; all numbers are in their ranges.
#include "sley.h"

// Beyond, the year has no room in an `int`, nearly: one more day where the time zone decides.
#define FIRST_SECOND -67768040609740800LL
#define LAST_SECOND 67768036191676799LL

enum { DAY = 86400 };

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

static void set_year(struct tm *result, long long seconds)
{
    int year = __sley_unknown_int("localtime");
    if (0 <= seconds && seconds <= __INT_MAX__)
        between(year, 69, 138);
    result->year = year;
}

static void break_down(long long seconds, struct tm *result, const char *zone)
{
    result->zone = zone;                      // first, so that a race does not rest on what is not computed
    result->second = between(__sley_unknown_int("localtime"), 0, 60);
    result->minute = between(__sley_unknown_int("localtime"), 0, 59);
    result->hour = between(__sley_unknown_int("localtime"), 0, 23);
    result->day = between(__sley_unknown_int("localtime"), 1, 31);
    result->month = between(__sley_unknown_int("localtime"), 0, 11);
    set_year(result, seconds);
    result->day_of_week = between(__sley_unknown_int("localtime"), 0, 6);
    result->day_of_year = between(__sley_unknown_int("localtime"), 0, 365);
}

static struct tm *too_far(void)
{
    sley_fails_with(SLEY_EOVERFLOW);
    return 0;
}

// Reading the rules of a zone from a file may leave an error number.
struct tm *localtime_r(const long *time, struct tm *result)
{
    long long seconds = *time;
    if (seconds < FIRST_SECOND - DAY || seconds > LAST_SECOND + DAY)
        return too_far();
    if ((seconds < FIRST_SECOND + DAY || seconds > LAST_SECOND - DAY) && __sley_unknown_bool("localtime"))
        return too_far();
    sley_touches_errno();
    break_down(seconds, result, "");
    result->is_summer = between(__sley_unknown_int("localtime"), -1, 1);
    long offset = __sley_unknown_long("localtime");
    __sley_assume(-DAY <= offset && offset <= DAY);
    result->offset = offset;
    return result;
}

struct tm *gmtime_r(const long *time, struct tm *result)
{
    long long seconds = *time;
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND)
        return too_far();
    break_down(seconds, result, "GMT");
    result->is_summer = 0;
    result->offset = 0;
    return result;
}

// One object for all calls, accessed plainly: concurrent calls race.
static struct tm sley_broken_down;
static char sley_written_time[26];

struct tm *localtime(const long *time)
{
    sley_broken_down.zone = 0;
    return localtime_r(time, &sley_broken_down);
}

struct tm *gmtime(const long *time)
{
    sley_broken_down.zone = 0;
    return gmtime_r(time, &sley_broken_down);
}

static void read_all(const struct tm *time)
{
    int second = time->second, minute = time->minute, hour = time->hour, day = time->day, month = time->month;
    int year = time->year, is_summer = time->is_summer;
}

static long any_second(void)
{
    long seconds = __sley_unknown_long("mktime");
    if (sizeof(long) == 8)
        __sley_assume(FIRST_SECOND - DAY <= seconds && seconds <= LAST_SECOND + DAY);
    return seconds;
}

long mktime(struct tm *time)
{
    read_all(time);
    if (__sley_unknown_bool("mktime"))
        return sley_fails_with(SLEY_EOVERFLOW);
    long seconds = any_second();
    return localtime_r(&seconds, time) ? seconds : -1;
}

long timegm(struct tm *time)
{
    read_all(time);
    if (__sley_unknown_bool("timegm"))
        return sley_fails_with(SLEY_EOVERFLOW);
    long seconds = any_second();
    return gmtime_r(&seconds, time) ? seconds : -1;
}

void tzset(void)
{
    sley_touches_errno();
}

// --- as text ----------------------------------------------------------------------------------------

// Twenty-four characters, the end of the line and a zero (C11 7.27.3.1p2).
static char *write_time(char *target)
{
    enum { LENGTH = 24 };
    target[LENGTH] = '\n';                    // first, so that what goes wrong does not rest on what is not computed
    target[LENGTH + 1] = 0;
    for (int i = 0; i < LENGTH; i++) {
        char character = __sley_unknown_char("ctime");
        __sley_assume(character != 0);
        target[i] = character;
    }
    return target;
}

static _Bool is_in(int value, int least, int most)
{
    return least <= value && value <= most;
}

// Other times are undefined, and years that have not four digits (C11 7.27.3.1p3).
static void require_usual(const struct tm *time)
{
    _Bool is_usual = is_in(time->second, 0, 60) & is_in(time->minute, 0, 59) & is_in(time->hour, 0, 23) &
                     is_in(time->day, 1, 31) & is_in(time->month, 0, 11) & is_in(time->day_of_week, 0, 6) &
                     is_in(time->year, -900, 8099);
    __sley_check(is_usual, "misuse", "time-out-of-range", "a time is written that is none, or has not a year of four digits");
}

char *asctime_r(const struct tm *time, char *target)
{
    require_usual(time);
    return write_time(target);
}

char *asctime(const struct tm *time)
{
    require_usual(time);
    return write_time(sley_written_time);
}

char *ctime_r(const long *time, char *target)
{
    const long long first = -30610224000LL, behind = 253402300800LL;
    long long seconds = *time;
    _Bool is_usual = first + DAY <= seconds && seconds < behind - DAY;
    if (first - DAY <= seconds && seconds < behind + DAY && !is_usual)
        is_usual = __sley_unknown_bool("ctime");
    __sley_check(is_usual, "misuse", "time-out-of-range", "a time is written that has not a year of four digits");
    sley_touches_errno();
    return write_time(target);
}

char *ctime(const long *time)
{
    return ctime_r(time, sley_written_time);
}

sley_size strlen(const char *text);

// How much is written without the zero; 0 if it does not fit, and then the contents are unspecified.
sley_size strftime(char *target, sley_size size, const char *format, const struct tm *time)
{
    read_all(time);
    strlen(format);
    sley_touches_errno();
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
