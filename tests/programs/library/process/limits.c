// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What is in force is not above what is allowed.
#include <assert.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
        return 1;
    assert(limit.rlim_cur <= limit.rlim_max);
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) != 0;
}
