// Waiting for time to pass: any other thread may run meanwhile, which it may anyway.
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

// How many processors there are is positive; other limits may be missing.
long sysconf(int name)
{
    enum { PROCESSORS = 83, PROCESSORS_IN_USE = 84 };
    long limit = __sley_nondet_long();
    _Bool counts_processors = name == PROCESSORS || name == PROCESSORS_IN_USE;
    __sley_assume((counts_processors ? 1 : -1) <= limit && limit < (counts_processors ? 1L << 16 : __LONG_MAX__ / 4096));
    return limit;
}

// The two members of a limit.
int getrlimit(int resource, unsigned long *limit)
{
    if (__sley_nondet_bool())
        return -1;
    limit[0] = __sley_nondet_ulong();
    limit[1] = __sley_nondet_ulong();
    __sley_assume(limit[0] <= limit[1]);
    return 0;
}

int setrlimit(int resource, const unsigned long *limit)
{
    return __sley_nondet_bool() ? 0 : -1;
}

// Between 1 and 99 where threads have priorities, else 0; -1 for no policy.
static int priority(void)
{
    int found = __sley_nondet_int();
    __sley_assume(-1 <= found && found <= 99);
    return found;
}

int sched_get_priority_max(int policy)
{
    return priority();
}

int sched_get_priority_min(int policy)
{
    return priority();
}

int sched_setaffinity(int process, sley_size size, const void *processors)
{
    return 0;
}

int sched_getcpu(void)
{
    int processor = __sley_nondet_int();
    __sley_assume(processor >= 0);
    return processor;
}

// Chosen when first asked for, and the same from then on.
int getpid(void)
{
    static _Atomic int sley_process;
    __sley_atomic_begin();
    int process = sley_process;
    if (process == 0) {
        process = __sley_nondet_int();
        __sley_assume(0 < process && process < SLEY_MOST_PROCESSES);
        sley_process = process;
    }
    __sley_atomic_end();
    return process;
}
