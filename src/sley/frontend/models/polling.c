// Waiting for descriptors: what of that which is asked for is ready is arbitrary. What is in pipes is kept elsewhere.
#include "sley.h"

_Bool sley_is_end_of_pipe(int descriptor);

enum { ALWAYS_TOLD = 8 | 16 | 32 };           // errors, the other end is gone, the descriptor is not open

// As in Linux, from the beginning (`struct pollfd`).
struct asked {
    int descriptor;
    short events;
    short found;
};

static _Bool is_ready(struct asked *one)
{
    if (__sley_mentions("pipe|pipe2") && one->descriptor >= 0 && sley_is_end_of_pipe(one->descriptor))
        __sley_give_up("the end of a pipe is waited for");
    short found = __sley_nondet_short();
    __sley_assume((found & ~(one->events | ALWAYS_TOLD)) == 0);
    one->found = one->descriptor < 0 ? 0 : found;
    return one->found != 0;
}

int poll(struct asked *all, unsigned long count, int milliseconds)
{
    if (__sley_nondet_bool())
        return sley_fails();
    int ready = 0;
    for (unsigned long at = 0; at < count; at++)
        ready += is_ready(&all[at]);
    __sley_assume(ready > 0 || milliseconds >= 0);
    sley_touches_errno();
    return ready;
}

enum { BITS = 8 * sizeof(unsigned long), MOST = 1024 };

// How many of a set stay in it; those from `count` on are not looked at.
static int keep(unsigned long *set, int count)
{
    int ready = 0;
    for (int word = 0; set && word * BITS < count; word++) {
        int rest = count - word * BITS;
        unsigned long looked = rest < BITS ? (1UL << rest) - 1 : ~0UL;
        set[word] = set[word] & looked & __sley_nondet_ulong();
        ready += __builtin_popcountl(set[word]);
    }
    return ready;
}

static void forget_time(long *time)
{
    for (int at = 0; time && at < 2; at++) {
        long left = __sley_nondet_long();
        __sley_assume(0 <= left && left <= time[at]);
        time[at] = left;
    }
}

int select(int count, unsigned long *reading, unsigned long *writing, unsigned long *failing, long *time)
{
    if (__sley_mentions("pipe|pipe2"))
        __sley_give_up("the end of a pipe may be waited for");
    if (count < 0 || (time && (time[0] < 0 || time[1] < 0)))
        return sley_fails_with(SLEY_EINVAL);
    __sley_check(count <= MOST, "misuse", "too-many-descriptors", "select() is asked of more than 1024 descriptors");
    if (__sley_nondet_bool())
        return sley_fails();
    int ready = keep(reading, count) + keep(writing, count) + keep(failing, count);
    __sley_assume(ready > 0 || time);
    forget_time(time);
    sley_touches_errno();
    return ready;
}
