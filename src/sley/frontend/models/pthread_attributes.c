// Attributes of POSIX threads. All are kept, but only being detached matters.
#include "sley.h"

typedef struct sley_pthread_attr_t attr;

int pthread_attr_init(attr *attributes)
{
    attributes->detached = 0;
    attributes->policy = 0;
    attributes->priority = 0;
    attributes->inherit = 0;
    attributes->scope = 0;
    attributes->guard = 4096;
    attributes->size = 8388608;
    return 0;
}

int pthread_attr_destroy(attr *attributes)
{
    return 0;
}

int pthread_attr_setdetachstate(attr *attributes, int value)
{
    if (value != 0 && value != 1)
        return SLEY_EINVAL;
    attributes->detached = value;
    return 0;
}

int pthread_attr_getdetachstate(const attr *attributes, int *value)
{
    *value = attributes->detached;
    return 0;
}

int pthread_attr_setschedpolicy(attr *attributes, int value)
{
    attributes->policy = value;
    return 0;
}

int pthread_attr_getschedpolicy(const attr *attributes, int *value)
{
    *value = attributes->policy;
    return 0;
}

int pthread_attr_setschedparam(attr *attributes, const int *value)
{
    attributes->priority = *value;
    return 0;
}

int pthread_attr_getschedparam(const attr *attributes, int *value)
{
    *value = attributes->priority;
    return 0;
}

int pthread_attr_setinheritsched(attr *attributes, int value)
{
    if (value != 0 && value != 1)
        return SLEY_EINVAL;
    attributes->inherit = value;
    return 0;
}

int pthread_attr_getinheritsched(const attr *attributes, int *value)
{
    *value = attributes->inherit;
    return 0;
}

int pthread_attr_setscope(attr *attributes, int value)
{
    if (value != 0)
        return SLEY_ENOTSUP;
    attributes->scope = value;
    return 0;
}

int pthread_attr_getscope(const attr *attributes, int *value)
{
    *value = attributes->scope;
    return 0;
}

int pthread_attr_setguardsize(attr *attributes, sley_size value)
{
    attributes->guard = value;
    return 0;
}

int pthread_attr_getguardsize(const attr *attributes, sley_size *value)
{
    *value = attributes->guard;
    return 0;
}

int pthread_attr_setstacksize(attr *attributes, sley_size value)
{
    if (value < 16384)
        return SLEY_EINVAL;
    attributes->size = value;
    return 0;
}

int pthread_attr_getstacksize(const attr *attributes, sley_size *value)
{
    *value = attributes->size;
    return 0;
}

// The stack is memory of the user's that nobody else may use; where locals are, nobody can see.
int pthread_attr_setstack(attr *attributes, void *stack, sley_size size)
{
    return pthread_attr_setstacksize(attributes, size);
}

int pthread_attr_setstackaddr(attr *attributes, void *stack)
{
    return 0;
}

int pthread_attr_setaffinity_np(attr *attributes, sley_size size, const void *processors)
{
    return 0;
}
