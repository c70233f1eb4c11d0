// sley: reach=false race=true deadlock=true memory=true overflow=true
// A billion nanoseconds are no fraction of a second (POSIX nanosleep: EINVAL).
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec pause = {0, 1000000000};
    assert(nanosleep(&pause, 0) == 0);
    return 0;
}
