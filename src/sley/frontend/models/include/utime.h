#ifndef SLEY_UTIME_H
#define SLEY_UTIME_H

#if __has_include_next(<utime.h>)
#include_next <utime.h>
#else
#include <sys/types.h>

struct utimbuf {
    time_t actime, modtime;
};

int utime(const char *path, const struct utimbuf *times);
#endif

#endif
