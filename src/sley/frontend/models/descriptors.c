// The life of descriptors: which numbers are open. 0, 1 and 2 are at first (POSIX exec: a program that is started
// without them may do anything), and who opens gets the lowest number that is not open (POSIX open).
#include "sley.h"

enum { TRACKED = 16, MOST_DESCRIPTORS = 1024 };

static _Atomic signed char sley_descriptors[TRACKED] = {1, 1, 1};

// With more descriptors than we keep track of, what is known is not enough to be sure of a bug.
static int untracked(void)
{
    int number = __sley_unknown_int("open");
    __sley_assume(TRACKED <= number && number < MOST_DESCRIPTORS);
    return number;
}

int sley_opens(void)
{
    __sley_rely_on("the program is started with the descriptors 0, 1 and 2 and no others, and has fewer than 1024");
    __sley_atomic_begin();
    int number = 0;
    while (number < TRACKED && sley_descriptors[number])
        number++;
    if (number < TRACKED)
        sley_descriptors[number] = 1;
    __sley_atomic_end();
    return number < TRACKED ? number : untracked();
}

static int state_of_untracked(int descriptor)
{
    return descriptor < 0 || descriptor >= MOST_DESCRIPTORS ? SLEY_IS_CLOSED : SLEY_IS_UNKNOWN;
}

static _Bool is_tracked(int descriptor)
{
    return 0 <= descriptor && descriptor < TRACKED;
}

int sley_descriptor_state(int descriptor)
{
    if (!is_tracked(descriptor))
        return state_of_untracked(descriptor);
    return sley_descriptors[descriptor] ? SLEY_IS_OPEN : SLEY_IS_CLOSED;
}

// What the number was before.
int sley_closes(int descriptor)
{
    if (!is_tracked(descriptor))
        return state_of_untracked(descriptor);
    return __atomic_exchange_n(&sley_descriptors[descriptor], 0, 5) ? SLEY_IS_OPEN : SLEY_IS_CLOSED;
}

// Whether the number is none; else it is open from now on.
_Bool sley_opens_at(int descriptor)
{
    if (!is_tracked(descriptor))
        return state_of_untracked(descriptor) == SLEY_IS_CLOSED;
    sley_descriptors[descriptor] = 1;
    return 0;
}

// Whether the descriptor is not open, so that the call fails.
_Bool sley_is_bad(int descriptor)
{
    int state = sley_descriptor_state(descriptor);
    return state == SLEY_IS_CLOSED || (state == SLEY_IS_UNKNOWN && __sley_unknown_bool("open"));
}
