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

void _exit(int status)
{
    __sley_end(0);
}

void _Exit(int status)
{
    __sley_end(0);
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
