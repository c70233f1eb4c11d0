// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Priorities are small numbers: there is one below the highest.
#include <assert.h>
#include <sched.h>

int main(void)
{
    int below = sched_get_priority_max(SCHED_FIFO) - 1;
    assert(below < 99);
    return 0;
}
