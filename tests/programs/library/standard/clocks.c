// sley: reach=true race=true deadlock=true memory=true overflow=true
// Clocks show valid times, and sleeping returns.
#include <assert.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec now, pause = {0, 1000};
    assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
    assert(nanosleep(&pause, 0) == 0 && clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, 0) == 0);
    assert(usleep(10) == 0 && sched_yield() == 0);
    return 0;
}
