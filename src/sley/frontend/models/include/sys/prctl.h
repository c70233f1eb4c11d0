#ifndef SLEY_SYS_PRCTL_H
#define SLEY_SYS_PRCTL_H

#if __has_include_next(<sys/prctl.h>)
#include_next <sys/prctl.h>
#else
#define PR_SET_PDEATHSIG 1
#define PR_SET_DUMPABLE 4
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_TIMERSLACK 29
#define PR_SET_NO_NEW_PRIVS 38
#endif

int prctl(int option, ...);

#endif
