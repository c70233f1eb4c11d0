// The error number: one per thread.
#include "sley.h"

int *__errno_location(void)
{
    static _Thread_local int sley_errno;
    return &sley_errno;
}

// What an allocator does that gets no memory (POSIX malloc).
int sley_no_memory(void)
{
    *__errno_location() = SLEY_ENOMEM;
    return 0;
}
