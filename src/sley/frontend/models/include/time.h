#ifndef SLEY_TIME_H
#define SLEY_TIME_H

#include "sley_features.h"
#include <sys/types.h>

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
#define TIME_UTC 1

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *time);
time_t timegm(struct tm *time);
void tzset(void);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *time, struct tm *result);
struct tm *localtime_r(const time_t *time, struct tm *result);
char *ctime(const time_t *time);
char *ctime_r(const time_t *time, char *target);
char *asctime(const struct tm *time);
char *asctime_r(const struct tm *time, char *target);
size_t strftime(char *target, size_t size, const char *format, const struct tm *time);
int nanosleep(const struct timespec *duration, struct timespec *remainder);
int clock_gettime(clockid_t clock, struct timespec *result);
int clock_getres(clockid_t clock, struct timespec *result);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remainder);
int timespec_get(struct timespec *result, int base);

#endif
