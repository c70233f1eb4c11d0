#ifndef SLEY_POLL_H
#define SLEY_POLL_H

#if __has_include_next(<poll.h>)
#include_next <poll.h>
#else
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32

typedef unsigned long nfds_t;

struct pollfd {
    int fd;
    short events, revents;
};

int poll(struct pollfd *asked, nfds_t count, int milliseconds);
#endif

#endif
