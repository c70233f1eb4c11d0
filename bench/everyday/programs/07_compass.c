// sley: reach=false race=true deadlock=true memory=true overflow=true
// An angle is brought to 0 to 360 degrees with fmod, which keeps the sign.
#include <assert.h>
#include <math.h>
#include <stdio.h>

static double heading(double degrees)
{
    return fmod(degrees, 360.0);
}

int main(void)
{
    static const double turns[] = {90, 90, 90, 90, -450};
    double at = 0;
    for (int i = 0; i < 5; i++) {
        at = heading(at + turns[i]);
        printf("%.0f\n", at);
        assert(at >= 0 && at < 360);
    }
    return 0;
}
