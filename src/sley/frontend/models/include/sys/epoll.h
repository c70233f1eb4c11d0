#ifndef SLEY_SYS_EPOLL_H
#define SLEY_SYS_EPOLL_H

#if __has_include_next(<sys/epoll.h>)
#include_next <sys/epoll.h>
#else
#include "../sley_features.h"

#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
#define EPOLLIN 1u
#define EPOLLOUT 4u

typedef union {
    void *ptr;
    int fd;
    unsigned int u32;
    unsigned long long u64;
} epoll_data_t;

struct epoll_event {
    unsigned int events;
    epoll_data_t data;
} __attribute__((packed));

int epoll_create(int size);
int epoll_create1(int flags);
int epoll_ctl(int epoll, int operation, int socket, struct epoll_event *event);
#endif

#endif
