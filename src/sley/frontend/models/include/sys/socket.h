#ifndef SLEY_SYS_SOCKET_H
#define SLEY_SYS_SOCKET_H

#if __has_include_next(<sys/socket.h>)
#include_next <sys/socket.h>
#else
#include "../sley_features.h"
#include <stddef.h>
#include <sys/types.h>

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;

struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};

int socket(int domain, int type, int protocol);
int connect(int socket, const struct sockaddr *address, socklen_t size);
int bind(int socket, const struct sockaddr *address, socklen_t size);
int listen(int socket, int most);
int accept(int socket, struct sockaddr *address, socklen_t *size);
int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags);
int getsockname(int socket, struct sockaddr *address, socklen_t *size);
int getpeername(int socket, struct sockaddr *address, socklen_t *size);
int shutdown(int socket, int how);
int setsockopt(int socket, int level, int option, const void *value, socklen_t size);
int getsockopt(int socket, int level, int option, void *value, socklen_t *size);
ssize_t send(int socket, const void *source, size_t size, int flags);
ssize_t sendto(int socket, const void *source, size_t size, int flags, const struct sockaddr *address, socklen_t length);
ssize_t recv(int socket, void *target, size_t size, int flags);
#endif

#endif
