#ifndef SLEY_SYS_RESOURCE_H
#define SLEY_SYS_RESOURCE_H

#if __has_include_next(<sys/resource.h>)
#include_next <sys/resource.h>
#else
#include "../sley_features.h"

#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 7
#define RLIM_INFINITY (-1UL)

typedef unsigned long rlim_t;

struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
#endif

#endif
