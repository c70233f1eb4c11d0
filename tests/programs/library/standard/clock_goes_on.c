// sley: unmodelled=true
// A monotonic clock never goes back, which is not computed: what looks like a bug is only possible.
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
