// sley: reach=true race=true deadlock=true memory=true overflow=true
// What the system says about the process and about itself stays the same.
#include <assert.h>
#include <sched.h>
#include <unistd.h>

int main(void)
{
    assert(getpid() == getpid() && getuid() == getuid());
    assert(sysconf(_SC_PAGESIZE) == getpagesize() && getpagesize() > 0);
    assert(sysconf(_SC_NPROCESSORS_CONF) >= 1);
    assert(sched_get_priority_min(SCHED_FIFO) < sched_get_priority_max(SCHED_FIFO));
    assert(sched_get_priority_max(-1) == -1);
    return 0;
}
