#ifndef SLEY_SYS_STAT_H
#define SLEY_SYS_STAT_H

#include <sys/types.h>

int mkdir(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
int chmod(const char *path, mode_t mode);
mode_t umask(mode_t mask);

#endif
