// Sockets: every call may succeed or fail, and the other end may send anything.
#include "sley.h"

static int done(void)
{
    if (__sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    return 0;
}

static int of_socket(int socket)
{
    return sley_is_bad(socket) ? sley_fails_with(SLEY_EBADF) : done();
}

static int descriptor(void)
{
    if (__sley_nondet_bool())
        return sley_fails();
    int number = sley_opens();
    sley_touches_errno();
    return number;
}

static void look_at(const volatile char *source, unsigned int size)
{
    for (unsigned int at = 0; at < size; at++)
        source[at];
}

// The size is what there is room for, and then how much was stored (POSIX accept). All for which there is room is anything.
static void write_anything(char *target, unsigned int *size, unsigned int length)
{
    unsigned int room = *size;
    if (room == sizeof(int))
        *(int *)target = __sley_nondet_int();
    else
        for (unsigned int at = 0; at < room; at++)
            target[at] = __sley_nondet_char();
    *size = length;
}

static unsigned int any_length(unsigned int room)
{
    unsigned int length = __sley_nondet_uint();
    __sley_assume(length <= room);
    return length;
}

long send(int socket, const void *source, sley_size size, int flags);

long sendto(int socket, const void *source, sley_size size, int flags, const char *address, unsigned int length)
{
    if (address)
        look_at(address, length);
    return send(socket, source, size, flags);
}

struct part {
    const char *start;
    sley_size size;
};

long sley_transfers(int descriptor, sley_size most);

long writev(int descriptor, const struct part *parts, int count)
{
    enum { MOST_PARTS = 1024 };
    sley_size all = 0;
    if (count < 0 || count > MOST_PARTS)
        return sley_fails_with(SLEY_EINVAL);
    for (int at = 0; at < count; at++) {
        for (sley_size byte = 0; byte < parts[at].size; byte++)
            (void)*(const volatile char *)&parts[at].start[byte];
        all += parts[at].size;
    }
    return sley_transfers(descriptor, all);
}

// --- sockets ----------------------------------------------------------------------------------------

int socket(int domain, int type, int protocol)
{
    return descriptor();
}

static int connected(int socket, const void *address, unsigned int size)
{
    look_at(address, size);
    return of_socket(socket);
}

int connect(int socket, const void *address, unsigned int size)
{
    return connected(socket, address, size);
}

int bind(int socket, const void *address, unsigned int size)
{
    return connected(socket, address, size);
}

int listen(int socket, int most)
{
    return of_socket(socket);
}

int accept(int socket, char *address, unsigned int *size)
{
    if (sley_is_bad(socket))
        return sley_fails_with(SLEY_EBADF);
    int accepted = descriptor();
    if (accepted >= 0 && address)
        write_anything(address, size, any_length(*size));
    return accepted;
}

int accept4(int socket, char *address, unsigned int *size, int flags)
{
    return accept(socket, address, size);
}

int shutdown(int socket, int how)
{
    return of_socket(socket);
}

int setsockopt(int socket, int level, int option, const void *value, unsigned int size)
{
    look_at(value, size);
    return of_socket(socket);
}

int getsockopt(int socket, int level, int option, char *value, unsigned int *size)
{
    int result = of_socket(socket);
    if (result == 0)
        write_anything(value, size, *size);
    return result;
}

static int told(int socket, char *target, unsigned int *size)
{
    int result = of_socket(socket);
    if (result == 0)
        write_anything(target, size, any_length(*size));
    return result;
}

int getsockname(int socket, char *address, unsigned int *size)
{
    return told(socket, address, size);
}

int getpeername(int socket, char *address, unsigned int *size)
{
    return told(socket, address, size);
}

int epoll_create(int size)
{
    return size <= 0 ? sley_fails_with(SLEY_EINVAL) : descriptor();
}

int epoll_create1(int flags)
{
    return descriptor();
}

int epoll_ctl(int epoll, int operation, int socket, const void *event)
{
    return sley_is_bad(epoll) || sley_is_bad(socket) ? sley_fails_with(SLEY_EBADF) : done();
}

// Networks have the most significant byte first, and we the least.
unsigned short htons(unsigned short number)
{
    unsigned int both = number;
    return (unsigned short)(both << 8 | both >> 8);
}

unsigned short ntohs(unsigned short number)
{
    return htons(number);
}

unsigned int htonl(unsigned int number)
{
    return number << 24 | (number & 0xff00) << 8 | (number >> 8 & 0xff00) | number >> 24;
}

unsigned int ntohl(unsigned int number)
{
    return htonl(number);
}
