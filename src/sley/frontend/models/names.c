// Names and addresses of machines: what a name stands for is arbitrary, and texts are not converted.
#include "sley.h"

sley_size strlen(const char *text);
void *malloc(sley_size size);
void free(void *block);

static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}

enum { STREAM = 1, DATAGRAM, RAW, TCP = 6, UDP = 17 };
enum { INTERNET = 2, INTERNET_6 = 10, WORDS = 7, WORDS_OF_4 = 4, SYSTEM_ERROR = -11, NO_NAME = -2, LAST_ERROR = -12 };

// As in Linux, from the beginning (`struct addrinfo`); the address, which begins with its family, is behind it.
struct found {
    int flags, family, kind, protocol;
    unsigned int length;
    void *address;
    char *name;
    struct found *next;
    unsigned short kind_of_address, port;
    unsigned int rest[WORDS - 1];
};

static struct found *one_more(const struct found *hints, struct found *next)
{
    struct found *made = malloc(sizeof *made);
    made->family = __sley_nondet_bool() ? INTERNET : INTERNET_6;
    __sley_assume(!hints || hints->family == 0 || made->family == hints->family);
    made->kind = hints && hints->kind ? hints->kind : __sley_nondet_bool() ? STREAM : __sley_nondet_bool() ? DATAGRAM : RAW;
    made->protocol = hints && hints->protocol ? hints->protocol : made->kind == STREAM ? TCP : made->kind == DATAGRAM ? UDP : 0;
    made->flags = hints ? hints->flags : 0;
    made->length = made->family == INTERNET ? WORDS_OF_4 * sizeof(int) : WORDS * sizeof(int);
    made->kind_of_address = (unsigned short)made->family;
    made->port = __sley_nondet_ushort();
    for (int at = 0; at < WORDS - 1; at++)
        made->rest[at] = __sley_nondet_uint();
    made->address = &made->kind_of_address;
    made->name = 0;
    made->next = next;
    return made;
}

int getaddrinfo(const char *name, const char *service, const struct found *hints, struct found **result)
{
    enum { WANTS_NAME = 2 };
    __sley_rely_on("a name stands for at most two addresses");
    if (!name && !service)
        return NO_NAME;
    if (name)
        read_text(name);
    if (service)
        read_text(service);
    if (__sley_nondet_bool()) {
        int error = __sley_nondet_int();
        __sley_assume(LAST_ERROR <= error && error < 0);
        if (error == SYSTEM_ERROR)
            sley_fails();
        else
            sley_touches_errno();
        return error;
    }
    if (hints && hints->flags & WANTS_NAME)
        __sley_give_up("the name of a machine is asked for");
    struct found *last = __sley_nondet_bool() ? one_more(hints, 0) : 0;
    *result = one_more(hints, last);
    sley_touches_errno();
    return 0;
}

void freeaddrinfo(struct found *all)
{
    while (all) {
        struct found *next = all->next;
        free(all);
        all = next;
    }
}

const char *gai_strerror(int error)
{
    return __sley_text("gai_strerror");
}

// --- addresses as texts -------------------------------------------------------------------------------

static const void *no_family(void)
{
    sley_fails_with(97);
    return 0;
}

const char *inet_ntop(int family, const unsigned char *address, char *target, unsigned int size)
{
    if (family != INTERNET && family != INTERNET_6)
        return no_family();
    for (int at = 0; at < (family == INTERNET ? 4 : 16); at++)
        (void)*(const volatile unsigned char *)&address[at];
    unsigned int least = family == INTERNET ? 7 : 2, most = family == INTERNET ? 15 : 45;
    if (size <= least || (size <= most && __sley_unknown_bool("inet_ntop"))) {
        sley_fails_with(28);
        return 0;
    }
    unsigned int length = __sley_unknown_uint("inet_ntop");
    __sley_assume(least <= length && length <= most && length < size);
    for (unsigned int at = 0; at < length; at++) {
        char one = __sley_unknown_char("inet_ntop");
        __sley_assume(one != 0);
        target[at] = one;
    }
    target[length] = 0;
    return target;
}

int inet_pton(int family, const char *text, unsigned char *target)
{
    if (family != INTERNET && family != INTERNET_6)
        return sley_fails_with(97);
    read_text(text);
    if (!__sley_unknown_bool("inet_pton"))
        return 0;
    for (int at = 0; at < (family == INTERNET ? 4 : 16); at++)
        target[at] = (unsigned char)__sley_unknown_char("inet_pton");
    return 1;
}

unsigned int inet_addr(const char *text)
{
    read_text(text);
    return __sley_unknown_uint("inet_addr");
}

// A text of which nothing is known, with its end.
static void put_text(char *target, unsigned int size)
{
    unsigned int length = __sley_unknown_uint("getnameinfo");
    __sley_assume(length < size);
    for (unsigned int at = 0; at < length; at++) {
        char one = __sley_unknown_char("getnameinfo");
        __sley_assume(one != 0);
        target[at] = one;
    }
    target[length] = 0;
}

int getnameinfo(const unsigned char *address, unsigned int length, char *host, unsigned int host_size, char *service, unsigned int service_size, int flags)
{
    for (unsigned int at = 0; at < length; at++)
        (void)*(const volatile unsigned char *)&address[at];
    if (__sley_nondet_bool()) {
        int error = __sley_nondet_int();
        __sley_assume(LAST_ERROR <= error && error < 0);
        sley_touches_errno();
        return error;
    }
    if (host && host_size)
        put_text(host, host_size);
    if (service && service_size)
        put_text(service, service_size);
    sley_touches_errno();
    return 0;
}
