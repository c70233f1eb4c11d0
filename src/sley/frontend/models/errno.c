// The error number: one per thread.
#include "sley.h"

int *__errno_location(void)
{
    static _Thread_local int sley_errno;
    return &sley_errno;
}

int sley_fails_with(int error)
{
    if (__sley_uses_errno())
        *__errno_location() = error;
    return -1;
}

int sley_fails(void)
{
    if (__sley_uses_errno()) {
        int error = __sley_nondet_int();
        __sley_assume(0 < error && error < SLEY_ERRORS);
        *__errno_location() = error;
    }
    return -1;
}

void sley_touches_errno(void)
{
    if (__sley_uses_errno() && __sley_nondet_bool())
        sley_fails();
}

// What an allocator does that gets no memory (POSIX malloc).
int sley_no_memory(void)
{
    sley_fails_with(SLEY_ENOMEM);
    return 0;
}
