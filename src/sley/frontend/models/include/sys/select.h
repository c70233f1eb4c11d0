#ifndef SLEY_SYS_SELECT_H
#define SLEY_SYS_SELECT_H

#if __has_include_next(<sys/select.h>)
#include_next <sys/select.h>
#else
#include <sys/time.h>

#define FD_SETSIZE 1024

typedef struct {
    unsigned long words[FD_SETSIZE / (8 * sizeof(long))];
} fd_set;

#define SLEY_FD_WORD(number, set) ((set)->words[(number) / (8 * sizeof(long))])
#define SLEY_FD_BIT(number) (1UL << (number) % (8 * sizeof(long)))
#define FD_ZERO(set) ((void)(*(set) = (fd_set){0}))
#define FD_SET(number, set) ((void)(SLEY_FD_WORD(number, set) |= SLEY_FD_BIT(number)))
#define FD_CLR(number, set) ((void)(SLEY_FD_WORD(number, set) &= ~SLEY_FD_BIT(number)))
#define FD_ISSET(number, set) ((SLEY_FD_WORD(number, set) & SLEY_FD_BIT(number)) != 0)

int select(int count, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *time);
#endif

#endif
