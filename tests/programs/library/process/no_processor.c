// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread cannot run on no processor at all.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>

int main(void)
{
    cpu_set_t none;
    CPU_ZERO(&none);
    assert(sched_setaffinity(0, sizeof none, &none) == -1 && errno == EINVAL);
    return 0;
}
