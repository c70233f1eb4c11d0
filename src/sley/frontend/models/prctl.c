// What a thread can say about itself to Linux, as far as the program does not notice.
#include "sley.h"
#include <stdarg.h>

enum { PARENT_DEATH_SIGNAL = 1, DUMPABLE = 4, NAME = 15, TIMER_SLACK = 29, NO_NEW_PRIVILEGES = 38, LONGEST_NAME = 16 };

int prctl(int option, ...)
{
    if (option == NAME) {
        va_list given;
        va_start(given, option);
        const char *name = va_arg(given, const char *);
        for (int at = 0; at < LONGEST_NAME && name[at]; at++)
            ;
        va_end(given);
        return 0;
    }
    if (option != PARENT_DEATH_SIGNAL && option != DUMPABLE && option != TIMER_SLACK && option != NO_NEW_PRIVILEGES)
        __sley_give_up("an option of `prctl` that is not modelled");
    return __sley_nondet_bool() ? 0 : sley_fails_with(SLEY_EINVAL);
}
