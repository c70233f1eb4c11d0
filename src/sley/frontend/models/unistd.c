// Waiting for time to pass, and priorities: any other thread may run meanwhile, which it may anyway.
#include "sley.h"

unsigned int sleep(unsigned int seconds)
{
    return 0;
}

int usleep(unsigned int microseconds)
{
    return 0;
}

int sched_yield(void)
{
    return 0;
}

// --- scheduling (Linux sched(7)) ----------------------------------------------------------------------

enum { OTHER = 0, FIRST_IN_FIRST_OUT = 1, ROUND_ROBIN = 2, BATCH = 3, IDLE = 5, DEADLINE = 6, HIGHEST = 99 };

static int priority(int policy, int of_real_time)
{
    if (policy == FIRST_IN_FIRST_OUT || policy == ROUND_ROBIN)
        return of_real_time;
    _Bool is_policy = policy == OTHER || policy == BATCH || policy == IDLE || policy == DEADLINE;
    return is_policy ? 0 : sley_fails_with(SLEY_EINVAL);
}

int sched_get_priority_max(int policy)
{
    return priority(policy, HIGHEST);
}

int sched_get_priority_min(int policy)
{
    return priority(policy, 1);
}

// Whether any of the processors may be there; their number is unknown.
_Bool sley_has_processor(sley_size size, const unsigned char *processors)
{
    _Bool has_any = 0;
    for (sley_size at = 0; at < size; at++)
        has_any |= processors[at] != 0;
    return has_any && __sley_nondet_bool();
}

int sched_setaffinity(int process, sley_size size, const void *processors)
{
    if (!sley_has_processor(size, processors))
        return sley_fails_with(SLEY_EINVAL);
    if (process && __sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    return 0;
}

// At least one processor may be used.
int sched_getaffinity(int process, sley_size size, unsigned char *processors)
{
    if (size == 0 || size % sizeof(long) || __sley_nondet_bool())
        return sley_fails();
    unsigned char all = 0;
    for (sley_size at = 0; at < size; at++) {
        unsigned char some = __sley_nondet_uchar();
        processors[at] = some;
        all |= some;
    }
    __sley_assume(all != 0);
    sley_touches_errno();
    return 0;
}

int sched_getcpu(void)
{
    enum { MOST_PROCESSORS = 1 << 16 };
    int processor = __sley_nondet_int();
    __sley_assume(0 <= processor && processor < MOST_PROCESSORS);
    return processor;
}
