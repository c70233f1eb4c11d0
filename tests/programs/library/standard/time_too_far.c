// sley: reach=true race=true deadlock=true memory=false overflow=true
// A year that no `int` holds is in no calendar: `localtime` returns null.
#include <limits.h>
#include <time.h>

int main(void)
{
    time_t far = LONG_MAX;
    return localtime(&far)->tm_year == 0;
}
