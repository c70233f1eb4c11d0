// sley: reach=true race=true deadlock=true memory=true overflow=true
// Where nothing is wrong with the arguments, `errno` stays.
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void)
{
    errno = 7;
    double all = sqrt(2) + fmod(7, 2) + pow(2, 3) + exp(0) + ldexp(1, 3) + rint(2.4) + nextafter(1, 2);
    assert(all > 0 && errno == 7);
    return 0;
}
