#ifndef SLEY_SYS_TIME_H
#define SLEY_SYS_TIME_H

#include <sys/types.h>
#include <time.h>

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

int utimes(const char *path, const struct timeval times[2]);
int gettimeofday(struct timeval *result, void *zone);

#endif
