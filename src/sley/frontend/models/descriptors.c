// The life of descriptors: which numbers are open. 0, 1 and 2 are at first (POSIX exec: a program that is started
// without them may do anything), and an open gets the lowest number that is not open (POSIX open).
#include "sley.h"

enum { TRACKED = 16, MOST_DESCRIPTORS = 1024 };

// A number that was not given out may have been left open by the parent process.
enum { NOT_GIVEN_OUT, OPEN, CLOSED };

static _Atomic signed char sley_descriptors[TRACKED] = {OPEN, OPEN, OPEN};

// With more descriptors than we keep track of, what is known is not enough to be sure of a bug.
static int untracked(void)
{
    int number = __sley_unknown_int("open");
    __sley_assume(TRACKED <= number && number < MOST_DESCRIPTORS);
    return number;
}

int sley_opens(void)
{
    __sley_rely_on("the program is started with the descriptors 0, 1 and 2, and all that it opens are numbered from 3 on, below 1024");
    __sley_atomic_begin();
    int number = 0;
    while (number < TRACKED && sley_descriptors[number] == OPEN)
        number++;
    if (number < TRACKED)
        sley_descriptors[number] = OPEN;
    __sley_atomic_end();
    return number < TRACKED ? number : untracked();
}

static int state_of_untracked(int descriptor)
{
    return descriptor < 0 || descriptor >= MOST_DESCRIPTORS ? SLEY_IS_CLOSED : SLEY_IS_UNKNOWN;
}

static int state_of_tracked(signed char what)
{
    return what == OPEN ? SLEY_IS_OPEN : what == CLOSED ? SLEY_IS_CLOSED : SLEY_IS_UNKNOWN;
}

static _Bool is_tracked(int descriptor)
{
    return 0 <= descriptor && descriptor < TRACKED;
}

int sley_descriptor_state(int descriptor)
{
    if (!is_tracked(descriptor))
        return state_of_untracked(descriptor);
    return state_of_tracked(sley_descriptors[descriptor]);
}

// What the number was before.
int sley_closes(int descriptor)
{
    if (!is_tracked(descriptor))
        return state_of_untracked(descriptor);
    return state_of_tracked(__atomic_exchange_n(&sley_descriptors[descriptor], CLOSED, 5));
}

// Whether the number is none; else it is open from now on.
_Bool sley_opens_at(int descriptor)
{
    if (!is_tracked(descriptor))
        return state_of_untracked(descriptor) == SLEY_IS_CLOSED;
    sley_descriptors[descriptor] = OPEN;
    return 0;
}

// Whether a number of this state is no descriptor. Of one that is not kept track of, a bug is a possible one only.
_Bool sley_may_be_bad(int descriptor, int state)
{
    if (state != SLEY_IS_UNKNOWN)
        return state == SLEY_IS_CLOSED;
    return is_tracked(descriptor) ? __sley_nondet_bool() : __sley_unknown_bool("open");
}

// Whether the descriptor is not open, so that the call fails.
_Bool sley_is_bad(int descriptor)
{
    return sley_may_be_bad(descriptor, sley_descriptor_state(descriptor));
}
