// sley: reach=true race=true deadlock=true memory=true overflow=true
// A monotonic clock never goes back.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec first, second;
    clock_gettime(CLOCK_MONOTONIC, &first);
    clock_gettime(CLOCK_MONOTONIC, &second);
    assert(second.tv_sec >= first.tv_sec);
    return 0;
}
