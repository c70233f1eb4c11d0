#ifndef SLEY_SYS_FILE_H
#define SLEY_SYS_FILE_H

#if __has_include_next(<sys/file.h>)
#include_next <sys/file.h>
#else
#include "../sley_features.h"

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

int flock(int descriptor, int operation);
#endif

#endif
