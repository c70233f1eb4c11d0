// The error number: one per thread.
#include "sley.h"

int *__errno_location(void)
{
    static _Thread_local int sley_errno;
    return &sley_errno;
}

void sley_sets_errno(int error)
{
    if (__sley_uses_errno())
        *__errno_location() = error;
}

int sley_fails_with(int error)
{
    sley_sets_errno(error);
    return -1;
}

// Whether functions of mathematics set it, each library says by `math_errhandling` (C11 7.12p9): that of Linux does.
// A bug that happens only without is a possible one.
void sley_may_set_errno(int error)
{
    if (!__sley_uses_errno())
        return;
    if (__sley_nondet_bool())
        sley_sets_errno(error);
    else
        __sley_assume(__sley_unknown_bool("math_errhandling"));
}

// The other way round: that of Linux does not, others do, as POSIX allows.
void sley_might_set_errno(int error)
{
    if (!__sley_uses_errno() || __sley_nondet_bool())
        return;
    __sley_assume(__sley_unknown_bool("errno"));
    sley_sets_errno(error);
}

int sley_any_error(void)
{
    int error = __sley_nondet_int();
    __sley_assume(0 < error && error < SLEY_ERRORS);
    return error;
}

int sley_fails(void)
{
    if (__sley_uses_errno())
        *__errno_location() = sley_any_error();
    return -1;
}

void sley_touches_errno(void)
{
    if (__sley_uses_errno()) {
        int error = __sley_nondet_int(), before = *__errno_location();
        __sley_assume(error == before || (0 < error && error < SLEY_ERRORS));
        *__errno_location() = error;
    }
}

// What an allocator does that gets no memory (POSIX malloc).
int sley_no_memory(void)
{
    sley_fails_with(SLEY_ENOMEM);
    return 0;
}
