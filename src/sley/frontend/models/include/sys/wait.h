#ifndef SLEY_SYS_WAIT_H
#define SLEY_SYS_WAIT_H

#if __has_include_next(<sys/wait.h>)
#include_next <sys/wait.h>
#else
#include <sys/types.h>

#define WNOHANG 1
#define WIFEXITED(status) (((status) & 0x7f) == 0)
#define WEXITSTATUS(status) ((status) >> 8 & 0xff)

pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
#endif

#endif
