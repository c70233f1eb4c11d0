// The error number: one per thread.
#include "sley.h"

int *__errno_location(void)
{
    static _Thread_local int sley_errno;
    return &sley_errno;
}
