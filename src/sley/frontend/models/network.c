// Sockets: every call may succeed or fail, and who is at the other end may send anything.
#include "sley.h"

int *__errno_location(void);

static int failed(void)
{
    int error = __sley_nondet_int();
    __sley_assume(0 < error && error < 134);
    *__errno_location() = error;
    return -1;
}

static int done(void)
{
    return __sley_nondet_bool() ? 0 : failed();
}

static int descriptor(void)
{
    int number = __sley_nondet_int();
    __sley_assume(0 <= number && number < 1024);
    return __sley_nondet_bool() ? number : failed();
}

// The size is what there is room for, and then what was written, as far as there was room.
static void write_anything(char *target, unsigned int *size)
{
    unsigned int written = __sley_nondet_uint();
    __sley_assume(written <= *size);
    for (unsigned int at = 0; at < written; at++)
        target[at] = __sley_nondet_char();
    *size = written;
}

int socket(int domain, int type, int protocol)
{
    return descriptor();
}

int connect(int socket, const void *address, unsigned int size)
{
    return done();
}

int bind(int socket, const void *address, unsigned int size)
{
    return done();
}

int listen(int socket, int most)
{
    return done();
}

int accept(int socket, char *address, unsigned int *size)
{
    if (address)
        write_anything(address, size);
    return descriptor();
}

int shutdown(int socket, int how)
{
    return done();
}

int setsockopt(int socket, int level, int option, const void *value, unsigned int size)
{
    return done();
}

int getsockopt(int socket, int level, int option, char *value, unsigned int *size)
{
    write_anything(value, size);
    return done();
}

int dup(int old)
{
    return descriptor();
}

int epoll_create(int size)
{
    return descriptor();
}

int epoll_create1(int flags)
{
    return descriptor();
}

int epoll_ctl(int epoll, int operation, int socket, const void *event)
{
    return done();
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
