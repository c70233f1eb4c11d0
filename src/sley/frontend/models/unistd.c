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

long sysconf(int name)
{
    return __sley_nondet_long();
}

int sched_get_priority_max(int policy)
{
    return __sley_nondet_int();
}

int sched_get_priority_min(int policy)
{
    return __sley_nondet_int();
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

int getpid(void)
{
    int process = __sley_nondet_int();
    __sley_assume(process > 0);
    return process;
}
